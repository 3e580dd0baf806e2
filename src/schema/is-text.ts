import type { Message } from './message.ts';

/** What counts as a message, in the store, in limits and for people: the words of the user and of the assistant. */
export function isText({ role, content }: Pick<Message, 'role' | 'content'>): boolean {
  return role === 'user' || (role === 'assistant' && content.trim() !== '');
}
