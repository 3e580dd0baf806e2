import type { Message } from '../schema/message.ts';

/** Message id → the text of the files that came with it. */
export type AttachedTexts = ReadonlyMap<string, string>;

/** A message as a model reads it: what was typed, then the files. What was typed stays beside it, as metadata. */
export function withAttached(message: Message, texts: AttachedTexts | undefined): Message {
  const text = message.role === 'user' ? texts?.get(message.id) : undefined;
  if (text === undefined) return message;
  return {
    ...message,
    content: `${message.content}\n\n${text}`,
    metadata: { ...message.metadata, typed: message.content },
  };
}

/** For a model that acts on every word: what was typed, without the files. */
export function asTyped(message: Message): Message {
  const { typed } = message.metadata;
  return message.role === 'user' && typeof typed === 'string' ? { ...message, content: typed } : message;
}
