import * as z from 'zod';
import { ThreadId } from './conversation.ts';

const shared = { content: z.string() };
const hasText = ({ content }: { content: string }) => content.trim() !== '';
const EMPTY = { path: ['content'], message: 'must not be empty' };

const EarlierUser = z
  .looseObject({
    ...shared,
    role: z.literal('user'),
    /** The client's id of the message. */
    client_id: ThreadId.optional(),
  })
  .refine(hasText, EMPTY);
const EarlierAssistant = z
  .looseObject({ ...shared, role: z.literal('assistant'), tool_calls: z.array(z.unknown()).optional() })
  .refine((message) => hasText(message) || (message.tool_calls ?? []).length > 0, {
    path: ['content'],
    message: 'may be empty only beside tool calls',
  });
const EarlierTool = z.looseObject({ ...shared, role: z.literal('tool') });

/**
 * An earlier message from a caller: role and content are enough. Only text of user and assistant is used. Calls and
 * tool results, as in a result's messages, are accepted and ignored.
 */
export const EarlierMessage = z.discriminatedUnion('role', [EarlierUser, EarlierAssistant, EarlierTool]);
export type EarlierMessage = z.input<typeof EarlierMessage>;
