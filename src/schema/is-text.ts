import type { Message } from './conversation/message.ts';

/** True for text of the user or the assistant. Stores, limits and counts treat only these as messages. */
export function isText({ role, content }: Pick<Message, 'role' | 'content'>): boolean {
  return role === 'user' || (role === 'assistant' && content.trim() !== '');
}
