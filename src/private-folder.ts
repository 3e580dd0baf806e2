import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from './errors.ts';

/** Makes a folder, and what is missing above it, for its owner only. Throws `store_unavailable` that names it. */
export function makePrivateFolder(path: string): void {
  if (existsSync(path)) {
    if (!statSync(path).isDirectory()) throw unusable(path);
    return;
  }
  const parent = dirname(path);
  if (parent !== path) makePrivateFolder(parent);
  try {
    // Step by step: Node's own recursive way never comes back from a path below /proc.
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (!existsSync(path)) throw unusable(path, error);
  }
}

/** Makes an empty file for its owner only, if it is not there; SQLite gives the files beside it the same rights. */
export function makePrivateFile(path: string): void {
  makePrivateFolder(dirname(path));
  try {
    closeSync(openSync(path, 'a', 0o600));
  } catch (error) {
    throw unusable(path, error);
  }
}

function unusable(path: string, cause?: unknown): AppError {
  return new AppError('store_unavailable', {
    detail: `${path} cannot be made or written. Choose another --data folder, or check its permissions.`,
    cause,
  });
}
