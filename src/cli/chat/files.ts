import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { AppError } from '../../errors.ts';
import { MAX_FILES } from '../../schema/conversation/chat.ts';
import type { Completion } from '../terminal/complete.ts';
import type { Chat } from './chat.ts';

const LISTED = 50;

/** Reads a path as people type it and terminals paste it: plain, quoted, with escaped spaces, or starting with `~/`. */
export function readTypedPath(typed: string): string {
  const plain = resolve(typed);
  return existsSync(plain) ? plain : resolve(expandHome(unquote(typed)));
}

/** Reads one shell word, but allows unescaped spaces and an open quote. */
function unquote(typed: string): string {
  return typed.replace(/'([^']*)(?:'|$)|"((?:\\.|[^"\\])*)(?:"|$)|\\(.)/gs, (_, single, double, escaped) => {
    if (single !== undefined) return single;
    return double === undefined ? escaped : double.replace(/\\(["\\$`])/g, '$1');
  });
}

function expandHome(path: string): string {
  return /^~(?=$|\/)/.test(path) ? join(homedir(), path.slice(1)) : path;
}

/** Completes the path at the end of a text, in the same quoting style. */
export function completePath(text: string, typed: string): Completion {
  if (typed === '~') return { start: text.length - 1, candidates: ['~/'] };
  const begun = typed.slice(typed.lastIndexOf('/') + 1);
  const quote = /^['"]/.test(begun) ? begun.slice(0, 1) : '';
  const isEscaped = begun.includes('\\') && !/^['"]/.test(typed);
  const write = (name: string) => quote + (isEscaped ? name.replace(/[\s\\'"]/g, '\\$&') : name);
  const readings = [typed, expandHome(unquote(typed))];
  const names = readings.map(namesFrom).find((found) => found.length > 0) ?? [];
  return { start: text.length - begun.length, candidates: names.slice(0, LISTED).map(write) };
}

function namesFrom(path: string): string[] {
  const begun = path.slice(path.lastIndexOf('/') + 1);
  return entriesOf(dirname(`${path}x`)).filter((name) => name.startsWith(begun));
}

function entriesOf(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name));
  } catch {
    return [];
  }
}

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
