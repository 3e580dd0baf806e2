import * as z from 'zod';
import { FileContent } from '../file.ts';
import { ConversationId, type Ulid } from '../ids.ts';
import { JsonObject, lazyLoose, lazyStrict, parseJson } from '../json.ts';
import { OwnMetadataField, ThreadId } from './conversation.ts';
import { ToolCall } from './tool-call.ts';
import type { TurnResult } from './turn.ts';

const hasText = ({ content }: { content: string }) => content.trim() !== '';
const EMPTY = { path: ['content'], message: 'must not be empty' };

const EarlierUser = z.lazy(() =>
  z
    .looseObject({
      content: z.string(),
      role: z.literal('user'),
      /** The client's id of the message. */
      client_id: ThreadId.optional(),
    })
    .refine(hasText, EMPTY),
);
const EarlierAssistant = z.lazy(() =>
  z
    .looseObject({ content: z.string(), role: z.literal('assistant'), tool_calls: z.array(z.unknown()).optional() })
    .refine((message) => hasText(message) || (message.tool_calls ?? []).length > 0, {
      path: ['content'],
      message: 'may be empty only beside tool calls',
    }),
);
const EarlierTool = lazyLoose(() => ({ content: z.string(), role: z.literal('tool') }));

/**
 * An earlier message from a caller: role and content are enough. Only text of user and assistant is used. Calls and
 * tool results, as in a result's messages, are accepted and ignored.
 */
export const EarlierMessage = z.lazy(() => z.discriminatedUnion('role', [EarlierUser, EarlierAssistant, EarlierTool]));
export type EarlierMessage = z.input<typeof EarlierMessage>;

export const MAX_FILES = 10;

/** A form sends the schema as text. */
const FormatField = z.lazy(() =>
  z.preprocess((value) => (typeof value === 'string' ? (parseJson(value) ?? value) : value), JsonObject),
);

/** The request of a front to start a turn. The agent's own text limits are checked by `cleanUserText`. */
export const ChatRequest = lazyStrict(() => ({
  message: z.string(),
  session_id: ConversationId.optional(),
  response_format: FormatField.optional().describe("JSON Schema of the answer, in place of the agent's own"),
  metadata: OwnMetadataField.optional().describe('Your own values for a new conversation; not with `session_id`'),
  files: z.array(FileContent).max(MAX_FILES, `at most ${MAX_FILES} files`).optional(),
}));
export type ChatRequest = z.infer<typeof ChatRequest>;

const SystemMessage = lazyLoose(() => ({ role: z.enum(['system', 'developer']), content: z.unknown() }));
const MAX_HISTORY = 2_000;

/** The request of a single call: the caller keeps the history. Only texts of user and assistant in it are read. */
export const RunRequest = z.lazy(() =>
  ChatRequest.unwrap()
    .omit({ session_id: true, metadata: true })
    .extend({
      history: z
        .array(z.union([EarlierMessage, SystemMessage]))
        .max(MAX_HISTORY, `at most ${MAX_HISTORY} messages`)
        .optional()
        .describe('The messages before this one; system messages, calls and tool results are left out, with a notice'),
    }),
);

/** How a call ended; a call that still waits has not. */
export const RestCallStatus = z.enum(['success', 'error', 'waiting']);

/** REST reduces a call's state to the values that a caller acts on. */
export const RestToolCall = z.lazy(() => z.intersection(ToolCall, z.object({ status: RestCallStatus })));
export type RestToolCall = z.infer<typeof RestToolCall>;

/** TurnResult with the ids that a REST caller continues with. */
export interface ChatResponse extends Omit<TurnResult, 'tool_calls'> {
  /** The id of the answer, or of the user's message if the turn ended without an answer. */
  message_id?: Ulid;
  session_id: Ulid;
  tool_calls: RestToolCall[];
}
