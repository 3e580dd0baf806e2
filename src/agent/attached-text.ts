import type { Message } from '../schema/conversation/message.ts';

/** Message id → the text of the files that came with it. */
export type AttachedTexts = ReadonlyMap<string, string>;

/** The message as a model reads it: the typed text, then the files. The typed text alone stays in the metadata. */
export function withAttached(message: Message, texts: AttachedTexts | undefined): Message {
  const text = message.role === 'user' ? texts?.get(message.id) : undefined;
  if (text === undefined) return message;
  return {
    ...message,
    content: `${message.content}\n\n${text}`,
    metadata: { ...message.metadata, typed: message.content },
  };
}

/** The typed text without the files, for a model that acts on every word it reads. */
export function asTyped(message: Message): Message {
  const { typed } = message.metadata;
  return message.role === 'user' && typeof typed === 'string' ? { ...message, content: typed } : message;
}
