import * as z from 'zod';
import { ThreadId } from './conversation.ts';

const shared = { content: z.string() };
const hasText = ({ content }: { content: string }) => content.trim() !== '';
const EMPTY = { path: ['content'], message: 'must not be empty' };

const EarlierUser = z
  .looseObject({
    ...shared,
    role: z.literal('user'),
    /** The id by which the client knows it. */
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
 * An earlier message as a caller gives it: role and content are enough. Text of user and assistant is used; calls and
 * tool results may be given, as they are in a result's messages, and are left out.
 */
export const EarlierMessage = z.discriminatedUnion('role', [EarlierUser, EarlierAssistant, EarlierTool]);
export type EarlierMessage = z.input<typeof EarlierMessage>;
