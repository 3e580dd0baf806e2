import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '../../errors.ts';
import { createCheckpoints } from './checkpoints.ts';
import { createCommitGroup, type Outcome, toFailure } from './commit/commit-group.ts';
import { createGroupQueue, createSerial, estimateGroupPages, estimatePages } from './commit/group-queue.ts';
import { createLogFile, type Flush } from './log-file.ts';
import type { Operation, OperationName, Operations } from './operations/run-operation.ts';
import type { Runner } from './runner-lock.ts';

export interface WriterOptions {
  /** The writing connection, owned by the writer from now on. */
  database: DatabaseSync;
  path: string;
  runner: Runner;
  busyTimeoutMs: number;
  flush?: Flush | undefined;
}

/**
 * The only place that changes the database. No write blocks on the disk, and none is acknowledged before it is on the
 * disk.
 */
export interface Writer {
  /**
   * Resolves when the operation is on the disk. A function is called when its operation is next: a waiting operation
   * then holds no second copy of a long text.
   */
  submit<Name extends OperationName>(name: Name, input: Input<Name>): Promise<Operations[Name]['output']>;
  /** Resolves when everything readable now is on the disk. */
  settled(): Promise<void>;
  /** Why nothing can be written now; undefined while writes reach the disk. */
  findProblem(): AppError | undefined;
  /** Writes everything submitted before, then closes. */
  close(): Promise<void>;
}

type Input<Name extends OperationName> = Operations[Name]['input'] | (() => Operations[Name]['input']);

interface Submitted {
  /** Created at the first call; undefined if its input cannot be created, which settles the operation. */
  operation(): Operation | undefined;
  settle(outcome: Outcome | undefined): void;
}

/** A group of this many pages blocks the event loop for a few milliseconds. */
const MAX_GROUP_PAGES = 100;
/** A trial writes as many pages as a usual turn, because one page may still fit where no turn does. */
const TRIAL_CHARS = 64_000;
/** Later than the writes of the start itself. */
const GROW_AFTER_MS = 1_000;

/** Appends a group of operations to the log in one transaction; a thread of Node's pool then flushes it to the disk. */
export function createWriter({ database, path, runner, busyTimeoutMs, flush }: WriterOptions): Writer {
  // SQLite neither syncs on commit nor checkpoints; `log` and `checkpoints` do that without blocking the event loop.
  database.exec('PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0; PRAGMA busy_timeout = 0');
  const log = createLogFile(database, path, flush);
  const commitGroup = createCommitGroup(database, { runner, waitMs: 4 * busyTimeoutMs, sync: log.sync });
  const checkpoints = createCheckpoints(path);
  const groups = createGroupQueue<Submitted>({
    run: writeGroup,
    weigh: (submitted) => {
      const operation = submitted.operation();
      return operation ? estimatePages(operation) : 0;
    },
    maxWeight: MAX_GROUP_PAGES,
  });
  /** Serializes everything that uses the connection. */
  const serially = createSerial();
  const growing = setTimeout(() => serially(log.grow), GROW_AFTER_MS).unref();
  let closed: Promise<void> | undefined;
  const health = createWriteHealth(() => submit('tryWrite', { chars: TRIAL_CHARS }));

  async function writeGroup(group: readonly Submitted[]): Promise<void> {
    const made = group.filter((submitted) => submitted.operation() !== undefined);
    const operations = made.flatMap((submitted) => submitted.operation() ?? []);
    if (operations.length === 0) return;
    const outcomes = await commitAndSync(operations);
    health.note(outcomes);
    for (const [index, { settle }] of made.entries()) settle(outcomes[index]);
    if (!log.failure) await checkpoints.keepShort(estimateGroupPages(operations));
  }

  async function commitAndSync(operations: readonly Operation[]): Promise<Outcome[]> {
    try {
      if (log.failure) throw log.failure;
      const { outcomes, synced } = await serially(() => commitGroup(operations));
      await synced;
      return outcomes;
    } catch (error) {
      return operations.map(() => toFailure(error));
    }
  }

  function submit<Name extends OperationName>(name: Name, input: Input<Name>) {
    if (closed) return Promise.reject(new AppError('store_unavailable', { detail: 'The store is closed.' }));
    return new Promise<Operations[Name]['output']>((resolve, reject) => {
      // The casts are safe: a name comes with its own input, and runOperation returns that name's output.
      const make = () => ({ name, input: typeof input === 'function' ? input() : input }) as Operation;
      groups.add(createSubmitted(make, settleWith(resolve as (value: unknown) => void, reject)));
    });
  }

  async function close(): Promise<void> {
    clearTimeout(growing);
    await groups.drain();
    await serially(checkpoints.close);
    log.close();
    database.close();
  }

  return {
    submit,
    settled: log.settled,
    findProblem: () => log.findFailure() ?? health.findProblem(),
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

function createSubmitted(make: () => Operation, settle: Submitted['settle']): Submitted {
  let made: { operation: Operation | undefined } | undefined;
  const tryToMake = () => {
    try {
      return make();
    } catch (error) {
      settle(toFailure(error));
      return undefined;
    }
  };
  return {
    operation: () => {
      made ??= { operation: tryToMake() };
      return made.operation;
    },
    settle,
  };
}

function settleWith(resolve: (value: unknown) => void, reject: (error: unknown) => void): Submitted['settle'] {
  return (outcome) => {
    if (outcome && 'error' in outcome) reject(outcome.error);
    else resolve(outcome?.value);
  };
}

/** Tracks whether the newest writes reached the disk. */
interface WriteHealth {
  note(outcomes: readonly Outcome[]): void;
  /**
   * Why the newest group of writes failed. Each call after a failure starts a trial write, whose outcome a later call
   * returns: free space on the disk is noticed without a turn.
   */
  findProblem(): AppError | undefined;
}

function createWriteHealth(tryWrite: () => Promise<unknown>): WriteHealth {
  let failed: AppError | undefined;
  let isTrying = false;

  async function tryOnce(): Promise<void> {
    isTrying = true;
    await tryWrite().catch(() => {});
    isTrying = false;
  }

  return {
    note(outcomes) {
      failed = outcomes.map(unavailable).find((error) => error !== undefined);
    },
    findProblem() {
      if (failed && !isTrying) void tryOnce();
      return failed;
    },
  };
}

/** The error of a disk or file at fault. Other errors belong to one operation. */
function unavailable(outcome: Outcome): AppError | undefined {
  return 'error' in outcome && outcome.error.code === 'store_unavailable' ? outcome.error : undefined;
}
