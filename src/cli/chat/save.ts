import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { AppError } from '../../errors.ts';
import type { Chat } from './chat.ts';
import { readTypedPath } from './typed-path.ts';

/** Writes the conversation to a new file, as Markdown or, if the name ends in .json, as JSON. Returns the path. */
export async function saveConversation(chat: Chat, wanted: string): Promise<string> {
  const { runtime, user, conversationId } = chat;
  if (!conversationId)
    throw new AppError('usage', { detail: 'There is no conversation to save yet. Send a message first.' });
  const path = wanted === '' ? resolve(`conversation-${conversationId}.md`) : readTypedPath(wanted);
  const format = path.endsWith('.json') ? 'json' : 'md';
  const { text } = await runtime.exportConversation(user, { conversationId, format });
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST'; // writeFileSync throws system errors
    const detail = isThere
      ? `${path} already exists. Give another name.`
      : `${path} could not be written. Check the folder and its permissions.`;
    throw new AppError('usage', { detail, cause: error });
  }
  return path;
}
