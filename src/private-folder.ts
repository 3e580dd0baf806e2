import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import { AppError } from './errors.ts';

/** Creates a folder and its missing parents, accessible to the owner only. Throws `store_unavailable` with the path. */
export function makePrivateFolder(path: string): void {
  if (existsSync(path)) {
    if (!statSync(path).isDirectory()) throw notFolder(path);
    return;
  }
  const parent = dirname(path);
  if (parent !== path) makePrivateFolder(parent);
  try {
    // Creates one level at a time: Node's recursive mode never returns for a path below /proc.
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (!existsSync(path)) throw cannotCreate(path, error);
  }
}

/** Creates an empty file for its owner only, unless it exists. SQLite gives its side files the same permissions. */
export function makePrivateFile(path: string): void {
  makePrivateFolder(dirname(path));
  try {
    closeSync(openSync(path, 'a', 0o600));
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

export function cannotWrite(path: string, cause?: unknown): AppError {
  const file = fileAbove(path);
  if (file) return notFolder(file);
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory();
  const access = isAbsolute(path) ? accessCommand(isFolder ? path : dirname(path), path) : 'check its permissions';
  const detail = `${path} cannot be written: ${access}, or choose another folder with --data.`;
  return new AppError('store_unavailable', { detail, cause });
}

/** The shell command that lets this account write all of a folder; `locked` is the part that it may not write. */
export function accessCommand(folder: string, locked: string): string {
  const isOwn = (statSync(locked, { throwIfNoEntry: false }) ?? statSync(folder)).uid === process.getuid?.();
  return `${isOwn ? 'chmod -R u+rwX' : 'sudo chown -R "$(id -u)"'} ${shellWord(folder)}`;
}

/** The shell command that creates a folder for this account, below one that it may not write. */
export function makeCommand(folder: string): string {
  return `sudo install -d -m 700 -o "$(id -u)" ${shellWord(folder)}`;
}

/** Quotes a word for the shell. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function cannotCreate(path: string, cause: unknown): AppError {
  const file = fileAbove(path);
  if (file) return notFolder(file);
  const make = `create it with ${makeCommand(path)}`;
  const detail = `${path} cannot be created in ${dirname(path)}: ${make}, or choose another folder with --data.`;
  return new AppError('store_unavailable', { detail, cause });
}

function notFolder(file: string): AppError {
  const detail = `${file} is a file, not a folder: choose another folder with --data, or move the file.`;
  return new AppError('store_unavailable', { detail });
}

/** The file that is in the place of a folder of this path. */
function fileAbove(path: string): string | undefined {
  const parent = dirname(path);
  if (parent === path) return undefined;
  return existsSync(parent) && !statSync(parent).isDirectory() ? parent : fileAbove(parent);
}
