import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../errors.ts';
import { systemIds } from '../ids.ts';
import { cannotWrite, makePrivateFolder } from '../private-folder.ts';
import { Uuid } from '../schema/ids.ts';
import type { User } from '../schema/user.ts';
import { storedUser } from './user.ts';

/** The person at this machine: a UUID in the data folder, the same for every front without authentication. */
export function localAccount(folder: string): User {
  const path = join(folder, 'account');
  const id = readId(path) ?? writeId(folder, path);
  const name = accountName();
  return storedUser(id, name ? { name } : {});
}

function readId(path: string): string | undefined {
  const text = readIfThere(path);
  if (text === undefined) return undefined;
  const id = Uuid.safeParse(text.trim());
  if (id.success) return id.data;
  throw new AppError('store_unavailable', {
    detail: `${path} does not hold a UUID. Restore the file, or delete it to start as a new user.`,
  });
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw cannotWrite(path, error);
  }
}

/** Two processes may start at once: the first file wins, and the other process uses its id. */
function writeId(folder: string, path: string): string {
  const id = systemIds.uuid();
  const draft = `${path}.${id}`;
  try {
    makePrivateFolder(folder);
    // The file is complete before it gets its name, so that no reader sees half of it.
    writeFileSync(draft, `${id}\n`, { flag: 'wx', mode: 0o600 });
    linkSync(draft, path);
    return id;
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (!isCode(error, 'EEXIST')) throw cannotWrite(path, error);
    return readId(path) ?? id;
  } finally {
    rmSync(draft, { force: true });
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function accountName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}
