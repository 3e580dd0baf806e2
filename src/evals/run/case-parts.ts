import { mkdirSync, symlinkSync } from 'node:fs';
import { mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import { userFromId } from '../../identity/user.ts';
import type { Ids } from '../../ids.ts';
import { type AttachedFile, fileFromPath } from '../../runtime/files/attached-file.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Agent } from '../../schema/agent.ts';
import type { Task } from '../../schema/task.ts';
import type { FileInput } from '../../schema/tests/test-case.ts';
import type { User } from '../../schema/user.ts';
import { resolveFile } from '../../yaml/read-file.ts';
import type { NamedCase } from '../cases/read-test-cases.ts';

const UNSUPPORTED = ['url', 'pages', 'sheet', 'range'] as const;

/** The files of a turn, which must be inside the agent's folder. */
export async function openCaseFiles(files: readonly FileInput[], folder: string): Promise<AttachedFile[]> {
  return Promise.all(
    files.map(async (file) => {
      const unsupported = UNSUPPORTED.find((key) => file[key] !== undefined);
      if (unsupported) throw invalid(`files: ${unsupported} is not supported; save the part as a file of its own`);
      const found = await resolveFile(folder, file.path ?? '');
      if ('problem' in found) throw invalid(`files: ${file.path}: ${found.problem}`);
      return fileFromPath(found.path);
    }),
  );
}

function invalid(detail: string): AppError {
  return new AppError('cases_invalid', { detail });
}

/** A file system in memory, as Linux has it. */
const IN_MEMORY = '/dev/shm';
/** Containers often have 64 MB there, which a case with large files could fill. */
const LEAST_FREE_BYTES = 512 * 1024 * 1024;

/**
 * Makes the data folder of one case, which is removed after it. It needs to survive no power cut, and in memory the
 * stores wait for no disk. A `TMPDIR` of the user is respected.
 */
export async function makeCaseFolder(name: string): Promise<string> {
  const root = process.env.TMPDIR === undefined && (await hasRoom()) ? IN_MEMORY : tmpdir();
  return mkdtemp(join(root, `holodeck-${name}-`)).catch(() => mkdtemp(join(tmpdir(), `holodeck-${name}-`)));
}

async function hasRoom(): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const free = await statfs(IN_MEMORY).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return free >= LEAST_FREE_BYTES;
}

/** A user of a case, with the conversation that their first turn begins. */
export interface Person {
  user: User;
  conversationId?: string;
}

/** Every name of a case stands for another user; turns without a name belong to the same one. */
export function createPeople({ timezone }: NamedCase, ids: Ids): (name?: string) => Person {
  const people = new Map<string, Person>();
  return (name = '') => {
    const about = { ...(name && { name }), ...(timezone && { timezone }) };
    const person = people.get(name) ?? { user: userFromId(ids.uuid(), about) };
    people.set(name, person);
    return person;
  };
}

/** Lets a data folder use databases that other cases have made: of spaces, and of the agent's own documents. */
export function linkDatabases(folder: string, shared: string, names = ['spaces', 'knowledge']): void {
  for (const name of names) {
    mkdirSync(join(shared, name), { recursive: true });
    symlinkSync(join(shared, name), join(folder, name), 'junction');
  }
}

const TASKS_MS = 10_000;

/** The tasks of a user; undefined for an agent without a task list. */
export async function readTasks(options: { agent: Agent; runtime: Runtime; user: User }): Promise<Task[] | undefined> {
  const { agent, runtime, user } = options;
  try {
    return await runtime.listTasks(user, { agent: agent.name, signal: AbortSignal.timeout(TASKS_MS) });
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return undefined;
    throw error;
  }
}

/** A clock whose date begins at a given instant and advances with the real one. A bare date begins at noon, UTC. */
export function clockAt(clock: Clock, now: string | undefined): Clock {
  if (now === undefined) return clock;
  const startMs = Date.parse(now.includes('T') ? now : `${now}T12:00:00Z`);
  const begunMs = clock.now();
  return { ...clock, date: () => new Date(startMs + Math.round(clock.now() - begunMs)) };
}
