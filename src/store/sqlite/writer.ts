import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '../../errors.ts';
import { createCheckpoints } from './checkpoints.ts';
import { createCommitGroup, type Outcome, toFailure } from './commit-group.ts';
import { estimateGroupPages, estimatePages } from './estimate-pages.ts';
import { createGroupQueue } from './group-queue.ts';
import { createLogFile, type Flush } from './log-file.ts';
import type { Operation, OperationName, Operations, Runner } from './operations/run-operation.ts';
import { createSerial } from './serial.ts';
import { createWriteHealth } from './write-health.ts';

export interface WriterOptions {
  /** The connection that writes; it is the writer's from now on. */
  database: DatabaseSync;
  path: string;
  runner: Runner;
  busyTimeoutMs: number;
  flush?: Flush | undefined;
}

/** The one place that changes the database. No write waits for the disk, and none is acknowledged before it is there. */
export interface Writer {
  /**
   * Resolves when the operation is on the disk. A function is called when the operation is next to be written: an
   * operation that waits holds no second copy of a long text.
   */
  submit<Name extends OperationName>(name: Name, input: Input<Name>): Promise<Operations[Name]['output']>;
  /** Resolves when everything that can be read now is on the disk. */
  settled(): Promise<void>;
  /** Why nothing can be written now; undefined while writes reach the disk. */
  findProblem(): AppError | undefined;
  /** Everything submitted before is written first. */
  close(): Promise<void>;
}

type Input<Name extends OperationName> = Operations[Name]['input'] | (() => Operations[Name]['input']);

interface Submitted {
  /** Made at the first call; undefined when its input cannot be made, which settles it. */
  operation(): Operation | undefined;
  settle(outcome: Outcome | undefined): void;
}

/** A group of so many pages holds the event loop for a few milliseconds. */
const MAX_GROUP_PAGES = 100;
/** A trial takes as many pages as a usual turn: one page may still fit where no turn does. */
const TRIAL_CHARS = 64_000;
/** Later than what a start itself has to write. */
const GROW_AFTER_MS = 1_000;

/** A group of operations is appended to the log in one transaction; a thread of Node's pool then brings it to the disk. */
export function createWriter({ database, path, runner, busyTimeoutMs, flush }: WriterOptions): Writer {
  // SQLite waits for the disk at no commit and folds nothing back: `log` and `checkpoints` do, beside the event loop.
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
  /** For all that uses the connection. */
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
      // The casts: a name goes with its own input, and runOperation answers with that name's output.
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
