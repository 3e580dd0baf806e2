import { statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { AppError } from '../../errors.ts';
import { MAX_FILES } from '../../schema/chat.ts';
import type { Chat } from './chat.ts';

/** A file for the next message; `clear` takes all back. */
export function attachFile(chat: Chat, wanted: string): string {
  if (wanted === '') throw new AppError('usage', { detail: 'Give the path of a file: /attach report.pdf' });
  if (wanted === 'clear') {
    chat.attachments = [];
    return 'Nothing is attached.';
  }
  const path = resolve(wanted);
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) {
    throw new AppError('usage', { detail: `${path}: there is no such file.` });
  }
  if (chat.attachments.length >= MAX_FILES) {
    throw new AppError('usage', { detail: `A message takes ${MAX_FILES} files. /attach clear takes all back.` });
  }
  chat.attachments.push(path);
  return `With the next message: ${chat.attachments.map((attached) => basename(attached)).join(', ')}`;
}
