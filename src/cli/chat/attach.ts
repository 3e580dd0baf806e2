import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { AppError } from '../../errors.ts';
import type { Chat } from './chat.ts';

/** A file for the next message; `clear` takes all back. */
export function attachFile(_chat: Chat, wanted: string): string {
  if (wanted === '') throw new AppError('usage', { detail: 'Give the path of a file: /attach report.pdf' });
  const path = resolve(wanted);
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) {
    throw new AppError('usage', { detail: `${path}: there is no such file.` });
  }
  throw new AppError('not_supported', { detail: 'Files cannot be attached yet.' });
}
