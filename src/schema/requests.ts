import * as z from 'zod';
import { OwnMetadata } from './conversation/conversation.ts';
import { CallAnswer } from './conversation/event.ts';
import { ConversationId } from './ids.ts';
import { lazyStrict } from './json.ts';
import { cleanLine, isInvisible } from './user-text.ts';

/** Query of `GET /sessions`. */
export const ListQuery = lazyStrict(() => ({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  before: ConversationId.optional(),
  agent: z.string().max(64).optional(),
  q: z.string().max(200).optional().describe('Words to find; the last one may be a beginning'),
}));

/** A title is one clean line that can be seen. */
const Title = z.lazy(() =>
  z
    .string()
    .max(200)
    .transform((text) => cleanLine(text, 200))
    .refine((line) => !isInvisible(line), 'must have a character that can be seen'),
);

/** Body of `PATCH /sessions/{id}`. */
export const SessionChanges = lazyStrict(() => ({
  title: Title.nullable().optional().describe('1 to 200 characters; null: the beginning of the first message again'),
  pinned: z.boolean().optional(),
  metadata: OwnMetadata.optional().describe('Your own values; they replace those that you set before'),
}));

/** Query of `GET /sessions/events`. */
export const SessionEventsQuery = lazyStrict(() => ({ follow: z.enum(['0', '1']).default('0') }));

/** Query of `GET /sessions/{id}`. */
export const HistoryQuery = lazyStrict(() => ({ last: z.coerce.number().int().min(1).max(1000).default(200) }));

/** Query of `GET /sessions/{id}/turns`. */
export const TurnsQuery = z.lazy(() =>
  ListQuery.unwrap()
    .omit({ agent: true, q: true })
    .extend({
      last: z.coerce.number().int().min(1).max(100).optional().describe('The same as `limit`'),
    }),
);

/** Query of `GET /sessions/{id}/events`. */
export const EventsQuery = lazyStrict(() => ({
  format: z.enum(['rest', 'ag-ui']).default('rest'),
  follow: z.enum(['0', '1']).default('0'),
}));

/** Body of `POST /sessions/{id}/resume`. */
export const Answers = z.lazy(() => z.array(CallAnswer).min(1).max(100));

/** Body of a request that takes none; some clients send an empty object for that. */
export const NoBody = z.lazy(() => z.strictObject({}).optional());

/** Body of `POST /sessions/{id}/fork`. */
export const ForkRequest = lazyStrict(() => ({
  after: z.string().min(1).max(128).describe('The last message to copy'),
}));

/** Query of `GET /sessions/{id}/export`. */
export const ExportQuery = lazyStrict(() => ({ format: z.enum(['md', 'json']).default('md') }));

const RunId = z.lazy(() => z.string().regex(/^[0-9A-Z]{26}$/, 'must be the id of a run'));

/** Query of `GET /agent/{name}/runs`. */
export const RunsQuery = lazyStrict(() => ({
  limit: z.coerce.number().int().min(1).max(50).default(20),
  before: RunId.optional(),
}));

/** Query of `GET /agent/{name}/runs/{run}/differences`. */
export const DifferencesQuery = lazyStrict(() => ({
  with: RunId.optional().describe('Another run of the agent; the one before it unless given'),
}));
