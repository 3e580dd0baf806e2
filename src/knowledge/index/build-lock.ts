import { DatabaseSync } from 'node:sqlite';
import { makePrivateFile } from '../../private-folder.ts';

/** The right to build one index. The kernel releases it when the process dies, in any way. */
export interface BuildLock {
  release(): void;
}

/** Undefined if another process, or another part of this one, builds. */
export function tryBuildLock(path: string): BuildLock | undefined {
  makePrivateFile(path);
  const file = new DatabaseSync(path, { timeout: 0 });
  try {
    // Nothing is ever written, so the lock needs no journal file.
    file.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return { release: () => file.close() };
  } catch {
    file.close();
    return undefined;
  }
}
