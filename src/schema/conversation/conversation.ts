import * as z from 'zod';
import { Ulid } from '../ids.ts';
import { Json } from '../json.ts';
import { Timestamp } from '../time.ts';

/**
 * Prefix of threads that hold one call of a program and its answers. They are not listed, and removed after a day. No
 * client can name one.
 */
export const CALL_THREAD = 'call:';

const StoredThreadId = z.string().regex(/^[\P{C}]{1,128}$/u, 'must be 1 to 128 printable characters');
/** Any string of 1 to 128 printable characters, as AG-UI clients send it. */
export const ThreadId = StoredThreadId.refine(
  (id) => !id.startsWith(CALL_THREAD),
  `must not begin with ${CALL_THREAD}`,
);

/** The ordered messages of a user with an agent. */
export const Conversation = z
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
  });
export type Conversation = z.infer<typeof Conversation>;

/** The title that lists show. */
export function titleOf({ title, metadata }: Conversation): string {
  return title ?? (typeof metadata.title === 'string' ? metadata.title : '');
}

export const ConversationState = z.enum(['active', 'idle']);
export type ConversationState = z.infer<typeof ConversationState>;

/** Idle after the time to live without a request; it can always be resumed. */
export function conversationState(conversation: Conversation, ttlSeconds: number, nowMs: number): ConversationState {
  return nowMs - Date.parse(conversation.last_activity) > ttlSeconds * 1000 ? 'idle' : 'active';
}

/** State of a terminal chat over a conversation. */
export const ChatState = z.enum(['initializing', 'active', 'terminated']);
export type ChatState = z.infer<typeof ChatState>;
