import type { Clock } from '../clock.ts';
import { type SqlProcess, startSqlProcess } from './sql-process.ts';

/** The processes of one space: a few at most, each used by one query at a time, ended when nobody needs them. */
export interface SqlPool {
  start(): SqlProcess;
  /** One that rests, or a new one that `open` makes ready; waits when all are busy. */
  take(open: (process: SqlProcess) => Promise<SqlProcess>): Promise<SqlProcess>;
  /** Back to rest, or forgotten when it has ended. */
  give(process: SqlProcess): void;
  drop(process: SqlProcess): void;
  close(): void;
}

const MAX_PROCESSES = 4;
/** A process that nobody asked anything for so long is ended; the next question starts another one. */
const IDLE_MS = 120_000;

export function createSqlPool(clock: Clock): SqlPool {
  const all = new Set<SqlProcess>();
  /** Those at rest, with what cancels their end. */
  const resting = new Map<SqlProcess, () => void>();
  const queue: (() => void)[] = [];

  const wake = (process: SqlProcess) => {
    resting.get(process)?.();
    resting.delete(process);
  };
  const drop = (process: SqlProcess) => {
    wake(process);
    process.kill();
    all.delete(process);
  };
  const start = () => {
    const process = startSqlProcess();
    all.add(process);
    return process;
  };
  return {
    start,
    async take(open) {
      for (;;) {
        const [process] = [...resting.keys()].slice(-1);
        if (process) wake(process);
        if (process?.isAlive) return process;
        if (process) all.delete(process);
        else if (all.size < MAX_PROCESSES) return open(start());
        else await new Promise<void>((resolve) => queue.push(resolve));
      }
    },
    give(process) {
      if (!process.isAlive) all.delete(process);
      else
        resting.set(
          process,
          clock.after(IDLE_MS, () => drop(process)),
        );
      queue.shift()?.();
    },
    drop,
    close() {
      for (const process of all) drop(process);
    },
  };
}
