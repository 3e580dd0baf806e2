import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Ids } from '../../ids.ts';
import { makePrivateFolder } from '../../private-folder.ts';

const FOLDER = 'runners';
/** Nothing is ever written, so the lock needs no journal file. */
const TAKE_LOCK = 'PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE';
/** `countLiveRunners` may read a new file before its owner locks it. */
const READER_MS = 1_000;

/** Proves that a process is alive: the kernel releases the lock when the process dies, in any way. */
export interface RunnerLock {
  release(): void;
}

/**
 * Takes the lock of a new runner in a data folder. Call it while holding the database's write lock, as every search for
 * dead runners does; otherwise a new lock file could be taken for a dead runner's before it is locked.
 */
export function holdRunnerLock(folder: string, runnerId: string): RunnerLock {
  makePrivateFolder(join(folder, FOLDER));
  const path = lockPath(folder, runnerId);
  const file = new DatabaseSync(path, { timeout: READER_MS });
  file.exec(TAKE_LOCK);
  return {
    release: () => {
      file.close();
      rmSync(path, { force: true });
    },
  };
}

/** A runner counts as dead only if we can take its lock. */
function isRunnerAlive(folder: string, runnerId: string): boolean {
  const path = lockPath(folder, runnerId);
  if (!existsSync(path)) return false;
  const file = new DatabaseSync(path, { timeout: 0, open: false });
  try {
    file.open();
    file.exec(TAKE_LOCK);
    return false;
  } catch {
    return true;
  } finally {
    if (file.isOpen) file.close();
  }
}

/** Returns the live runners and removes the lock files of the others. Requires the database's write lock, too. */
export function findLiveRunners(folder: string): Set<string> {
  const live = new Set<string>();
  for (const runnerId of listRunners(folder)) {
    if (isRunnerAlive(folder, runnerId)) live.add(runnerId);
    else rmSync(lockPath(folder, runnerId), { force: true });
  }
  return live;
}

/** The number of live runners. Changes no file and needs no lock. */
export function countLiveRunners(folder: string): number {
  return listRunners(folder).filter((runnerId) => isLocked(lockPath(folder, runnerId))).length;
}

function isLocked(path: string): boolean {
  const file = new DatabaseSync(path, { readOnly: true, timeout: 0, open: false });
  try {
    file.open();
    file.prepare('SELECT count(*) FROM sqlite_schema').get();
    return false;
  } catch {
    return existsSync(path);
  } finally {
    if (file.isOpen) file.close();
  }
}

function listRunners(folder: string): string[] {
  const path = join(folder, FOLDER);
  return existsSync(path) ? readdirSync(path).filter((name) => /^[0-9A-Z]+$/.test(name)) : [];
}

function lockPath(folder: string, runnerId: string): string {
  return join(folder, FOLDER, runnerId);
}

/** The writing process: its data folder and its runner id. */
export interface Runner {
  folder: string;
  runnerId: string;
  /** Makes the ids of messages that recovery writes. */
  ids: Ids;
}
