import type { Clock } from '../../clock.ts';
import { type SqlProcess, startSqlProcess } from './sql-process.ts';

/** The processes of a space: a few at most, each running one query at a time, ended when idle. */
export interface SqlPool {
  start(): SqlProcess;
  /** Returns an idle process, or a new one prepared by `open`. Waits if all are busy. */
  take(open: (process: SqlProcess) => Promise<SqlProcess>): Promise<SqlProcess>;
  /** Returns a process to the pool, or removes it if it has ended. */
  give(process: SqlProcess): void;
  drop(process: SqlProcess): void;
  close(): void;
}

const MAX_PROCESSES = 4;
/** An idle process is ended after this time; the next question starts another one. */
const IDLE_MS = 120_000;

export function createSqlPool(clock: Clock): SqlPool {
  const all = new Set<SqlProcess>();
  /** Idle processes, with the function that cancels their end. */
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
      const end = () => drop(process);
      if (process.isAlive) resting.set(process, clock.after(IDLE_MS, end));
      else all.delete(process);
      queue.shift()?.();
    },
    drop,
    close() {
      for (const process of all) drop(process);
    },
  };
}
