import * as z from 'zod';
import { Ulid } from '../ids.ts';
import { Json } from '../json.ts';
import { Timestamp } from '../scalars.ts';
import { TokenUsage } from './token-usage.ts';
import { ToolCallRequest } from './tool-call.ts';

const Text = z.string().refine((text) => text.trim() !== '', 'must not be empty');
const Metadata = z.record(z.string(), Json);

const shared = { id: Ulid, timestamp: Timestamp, tokens_used: TokenUsage.optional(), metadata: Metadata };

export const UserMessage = z.strictObject({
  ...shared,
  role: z.literal('user'),
  content: Text,
  /** The sending client's id of the message; if absent, it equals `id`. */
  client_id: z.string().min(1).optional(),
});
export type UserMessage = z.infer<typeof UserMessage>;

export const SystemMessage = z.strictObject({ ...shared, role: z.literal('system'), content: Text });
export type SystemMessage = z.infer<typeof SystemMessage>;

const AssistantShape = z.strictObject({
  ...shared,
  role: z.literal('assistant'),
  content: z.string(),
  tool_calls: z.array(ToolCallRequest).min(1).optional(),
});
export const AssistantMessage = AssistantShape.refine(
  (message) => message.tool_calls !== undefined || message.content.trim() !== '',
  { path: ['content'], message: 'may be empty only beside tool calls' },
);
export type AssistantMessage = z.infer<typeof AssistantMessage>;

export const ToolMessage = z.strictObject({
  ...shared,
  role: z.literal('tool'),
  content: z.string(),
  tool_call_id: z.string().min(1),
});
export type ToolMessage = z.infer<typeof ToolMessage>;

/** An entry of a conversation. Immutable once written; ordered by position, not by time. */
export const Message = z.discriminatedUnion('role', [UserMessage, AssistantMessage, SystemMessage, ToolMessage]);
export type Message = z.infer<typeof Message>;

/** True for text of the user or the assistant. Stores, limits and counts treat only these as messages. */
export function isText({ role, content }: Pick<Message, 'role' | 'content'>): boolean {
  return role === 'user' || (role === 'assistant' && content.trim() !== '');
}
