import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '../../errors.ts';
import { createCheckpoints } from './checkpoints.ts';
import { createCommitGroup, type Outcome, toFailure } from './commit-group.ts';
import { createGroupQueue } from './group-queue.ts';
import { createLogFile } from './log-file.ts';
import type { Operation, OperationName, Operations, Runner } from './operations/run-operation.ts';

export interface WriterOptions {
  /** The connection that writes; it is the writer's from now on. */
  database: DatabaseSync;
  path: string;
  runner: Runner;
  busyTimeoutMs: number;
}

/** The one place that changes the database. No write waits for the disk, and none is acknowledged before it is there. */
export interface Writer {
  /** Resolves when the operation is on the disk. */
  submit<Name extends OperationName>(name: Name, input: Operations[Name]['input']): Promise<Operations[Name]['output']>;
  /** Resolves when everything that can be read now is on the disk. */
  settled(): Promise<void>;
  /** Everything submitted before is written first. */
  close(): Promise<void>;
}

interface Submitted {
  operation: Operation;
  settle(outcome: Outcome | undefined): void;
}

/** Later than what a start itself has to write. */
const GROW_AFTER_MS = 1_000;

/** After how many groups it is looked how long the log is: looking costs as much as a small statement. */
const GROUPS_PER_LOOK = 8;

/** A group of operations is appended to the log in one transaction; a thread of Node's pool then brings it to the disk. */
export function createWriter({ database, path, runner, busyTimeoutMs }: WriterOptions): Writer {
  // SQLite waits for the disk at no commit and folds nothing back: `log` and `checkpoints` do, beside the event loop.
  database.exec('PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0; PRAGMA busy_timeout = 0');
  const log = createLogFile(database, path);
  const commitGroup = createCommitGroup(database, { runner, waitMs: 4 * busyTimeoutMs, sync: log.sync });
  const checkpoints = createCheckpoints(database, path);
  const groups = createGroupQueue(writeGroup);
  /** What uses the connection, one after the other. */
  let turns: Promise<unknown> = Promise.resolve();
  let written = 0;
  let closed: Promise<void> | undefined;
  const growing = setTimeout(() => inTurn(log.grow), GROW_AFTER_MS).unref();

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = turns.then(work);
    turns = done.catch(() => {});
    return done;
  }

  async function writeGroup(group: readonly Submitted[]): Promise<void> {
    const outcomes = await commitAndSync(group.map(({ operation }) => operation));
    for (const [index, { settle }] of group.entries()) settle(outcomes[index]);
    if (++written % GROUPS_PER_LOOK === 0) await inTurn(checkpoints.keepShort);
  }

  async function commitAndSync(operations: readonly Operation[]): Promise<Outcome[]> {
    try {
      if (log.failure) throw log.failure;
      const { outcomes, synced } = await inTurn(() => commitGroup(operations));
      await synced;
      return outcomes;
    } catch (error) {
      return operations.map(() => toFailure(error));
    }
  }

  async function close(): Promise<void> {
    clearTimeout(growing);
    await groups.drain();
    await turns;
    await checkpoints.close();
    log.close();
    database.close();
  }

  return {
    submit(name, input) {
      if (closed) return Promise.reject(new AppError('store_unavailable', { detail: 'The store is closed.' }));
      return new Promise((resolve, reject) => {
        const settle: Submitted['settle'] = (outcome) => {
          if (outcome && 'error' in outcome) reject(outcome.error);
          // The casts: a name goes with its own input, and runOperation answers with that name's output.
          else resolve(outcome?.value as never);
        };
        groups.add({ operation: { name, input } as Operation, settle });
      });
    },
    settled: log.settled,
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}
