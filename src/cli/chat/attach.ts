import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { AppError } from '../../errors.ts';
import { MAX_FILES } from '../../schema/conversation/chat.ts';
import type { Chat } from './chat.ts';
import { readTypedPath } from './typed-path.ts';

/** Attaches a file to the next message; `clear` removes all. */
export function attachFile(chat: Chat, wanted: string): string {
  if (wanted === '') throw new AppError('usage', { detail: 'Give the path of a file: /attach report.pdf' });
  if (wanted === 'clear') {
    chat.attachments = [];
    return 'No file is attached now.';
  }
  const path = readTypedPath(wanted);
  checkFile(path);
  if (chat.attachments.length >= MAX_FILES) {
    throw new AppError('usage', {
      detail: `A message can have ${MAX_FILES} files. /attach clear removes all of them.`,
    });
  }
  chat.attachments.push(path);
  return `With the next message: ${chat.attachments.map((attached) => basename(attached)).join(', ')}`;
}

/** Reports at once what would otherwise be refused with the message. */
function checkFile(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  const refuse = (detail: string) => new AppError('usage', { detail });
  if (found?.isDirectory()) throw refuse(`${path} is a folder. Give the path of a file in it.`);
  if (!found?.isFile()) throw refuse(`${path}: there is no such file.`);
  if (found.size === 0) throw refuse(`${path} is empty.`);
}
