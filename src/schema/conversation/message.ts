import * as z from 'zod';
import { Ulid } from '../ids.ts';
import { Json, lazyStrict } from '../json.ts';
import { Timestamp } from '../scalars.ts';
import { TokenUsage } from './token-usage.ts';
import { ToolCallRequest } from './tool-call.ts';

const Text = z.lazy(() => z.string().refine((text) => text.trim() !== '', 'must not be empty'));
const shared = () => ({
  id: Ulid,
  timestamp: Timestamp,
  tokens_used: TokenUsage.optional(),
  metadata: z.record(z.string(), Json),
});

export const UserMessage = lazyStrict(() => ({
  ...shared(),
  role: z.literal('user'),
  content: Text,
  /** The sending client's id of the message; if absent, it equals `id`. */
  client_id: z.string().min(1).optional(),
}));
export type UserMessage = z.infer<typeof UserMessage>;

export const SystemMessage = lazyStrict(() => ({ ...shared(), role: z.literal('system'), content: Text }));
export type SystemMessage = z.infer<typeof SystemMessage>;

const AssistantShape = lazyStrict(() => ({
  ...shared(),
  role: z.literal('assistant'),
  content: z.string(),
  tool_calls: z.array(ToolCallRequest).min(1).optional(),
}));
export const AssistantMessage = z.lazy(() =>
  AssistantShape.unwrap().refine((message) => message.tool_calls !== undefined || message.content.trim() !== '', {
    path: ['content'],
    message: 'may be empty only beside tool calls',
  }),
);
export type AssistantMessage = z.infer<typeof AssistantMessage>;

export const ToolMessage = lazyStrict(() => ({
  ...shared(),
  role: z.literal('tool'),
  content: z.string(),
  tool_call_id: z.string().min(1),
}));
export type ToolMessage = z.infer<typeof ToolMessage>;

/** An entry of a conversation. Immutable once written; ordered by position, not by time. */
export const Message = z.lazy(() =>
  z.discriminatedUnion('role', [UserMessage, AssistantMessage, SystemMessage, ToolMessage]),
);
export type Message = z.infer<typeof Message>;

/** True for text of the user or the assistant. Stores, limits and counts treat only these as messages. */
export function isText({ role, content }: Pick<Message, 'role' | 'content'>): boolean {
  return role === 'user' || (role === 'assistant' && content.trim() !== '');
}
