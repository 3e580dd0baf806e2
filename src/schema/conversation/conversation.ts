import * as z from 'zod';
import { Ulid } from '../ids.ts';
import { Json, parseJson } from '../json.ts';
import { Timestamp } from '../scalars.ts';

/**
 * Prefix of threads that hold one call of a program and its answers. They are not listed, and removed after a day. No
 * client can name one.
 */
export const CALL_THREAD = 'call:';
/** Prefix of threads that members of a team work in: `child:<turn>:<call>`. They belong to that turn. */
export const CHILD_THREAD = 'child:';

const StoredThreadId = z.string().regex(/^[\P{C}]{1,128}$/u, 'must be 1 to 128 printable characters');
/** Any string of 1 to 128 printable characters, as AG-UI clients send it. */
export const ThreadId = StoredThreadId.refine(
  (id) => !id.startsWith(CALL_THREAD) && !id.startsWith(CHILD_THREAD),
  `must not begin with ${CALL_THREAD} or ${CHILD_THREAD}`,
);

/** The ordered messages of a user with an agent. */
export const Conversation = z.lazy(() =>
  z
    .strictObject({
      id: Ulid,
      thread_id: StoredThreadId.optional(),
      agent: z.string().min(1),
      created_at: Timestamp,
      /** Time of the newest message. */
      last_updated: Timestamp,
      /** Time of any request; drives the time to live. */
      last_activity: Timestamp,
      message_count: z.number().int().nonnegative(),
      /** The user's own title; absent while the first message is the title (`metadata.title`). */
      title: z.string().optional(),
      /** The user keeps it at the top of the list. */
      pinned: z.literal(true).optional(),
      metadata: z.record(z.string(), Json),
    })
    .refine((conversation) => Date.parse(conversation.created_at) <= Date.parse(conversation.last_updated), {
      path: ['last_updated'],
      message: 'must not be before created_at',
    }),
);
export type Conversation = z.infer<typeof Conversation>;

/** The title that lists show. */
export function titleOf({ title, metadata }: Conversation): string {
  return title ?? (typeof metadata.title === 'string' ? metadata.title : '');
}

export const ConversationState = z.enum(['active', 'idle']);
export type ConversationState = z.infer<typeof ConversationState>;

/** State of a terminal chat over a conversation. */
export const ChatState = z.enum(['initializing', 'active', 'terminated']);
export type ChatState = z.infer<typeof ChatState>;

/** Keys of a conversation's metadata that only the server writes: later turns rely on them. */
export const SERVER_KEYS: readonly string[] = ['title', 'domains_accessed', 'spaces', 'forked_from'];
const MAX_CHARS = 4_000;

const Key = z.lazy(() =>
  z
    .string()
    .regex(/^[\w.-]{1,64}$/, 'must be 1 to 64 letters, digits, dots, hyphens or underscores')
    .refine((key) => !SERVER_KEYS.includes(key), { error: ({ input }) => `${input} is set by the server` }),
);

/** A user's own values of a conversation. */
export const OwnMetadata = z.lazy(() =>
  z
    .record(Key, Json)
    .refine(
      (values) => JSON.stringify(values).length <= MAX_CHARS,
      `must have at most ${MAX_CHARS} characters as JSON`,
    ),
);
export type OwnMetadata = z.infer<typeof OwnMetadata>;

/** A form sends the values as text. */
export const OwnMetadataField = z.lazy(() =>
  z.preprocess((value) => (typeof value === 'string' ? (parseJson(value) ?? value) : value), OwnMetadata),
);

/** The values of a program that did not check them. */
export function withoutServerKeys(values: OwnMetadata = {}): OwnMetadata {
  return Object.fromEntries(Object.entries(values).filter(([key]) => !SERVER_KEYS.includes(key)));
}
