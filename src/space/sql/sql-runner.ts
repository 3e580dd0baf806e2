import type { SQLInputValue } from 'node:sqlite';
import type { Clock } from '../../clock.ts';
import type { LoadedTable } from '../load/load-tables.ts';
import type { TableFile } from '../load/read-table.ts';
import type { QueryRows } from './guarded-database.ts';
import { createSqlPool, type SqlPool } from './sql-pool.ts';
import type { SqlProcess } from './sql-process.ts';

export interface SqlQuery {
  sql: string;
  parameters: Record<string, SQLInputValue>;
  maxRows: number;
  timeoutMs: number;
  signal?: AbortSignal;
}

/** The outcome of a query: rows, or the reason why there are none. Never thrown. */
export type SqlOutcome =
  | { rows: QueryRows }
  | { failure: 'timeout' | 'refused' | 'cancelled' | 'unavailable'; reason: string };

export interface SqlRunner {
  /** Reads the files once. After a failure, the next question tries again. */
  load(): Promise<LoadedTable[]>;
  query(query: SqlQuery): Promise<SqlOutcome>;
  close(): void;
}

export interface SqlRunnerOptions {
  space: string;
  /** The folder of the database. */
  folder: string;
  files: readonly TableFile[];
  /** Throws if the tables are not what the space says of them. */
  prove?: (tables: readonly LoadedTable[]) => void;
  clock: Clock;
}

const LOAD_TIMEOUT_MS = 60_000;

interface Database {
  path: string;
  tables: LoadedTable[];
}

/** Runs queries in separate processes, several at a time, and kills those that take too long. */
export function createSqlRunner({ space, folder, files, prove, clock }: SqlRunnerOptions): SqlRunner {
  const pool = createSqlPool(clock);
  let database: Promise<Database> | undefined;

  const loadOnce = async (): Promise<Database> => {
    const process = pool.start();
    const cancel = clock.after(LOAD_TIMEOUT_MS, () => pool.drop(process));
    try {
      const reply = await process.ask({ kind: 'load', folder, space, files: [...files] });
      if (reply.kind !== 'loaded') throw new Error(reply.kind === 'failed' ? reply.reason : 'the files were not read');
      prove?.(reply.tables);
      await open(process, reply);
      pool.give(process);
      return reply;
    } catch (error) {
      pool.drop(process);
      throw error;
    } finally {
      cancel();
    }
  };
  const load = () => {
    database ??= loadOnce().catch((error: unknown) => {
      database = undefined;
      throw error;
    });
    return database;
  };
  const take = async () => {
    const ready = await load();
    return pool.take((process) => open(process, ready));
  };
  return {
    load: async () => (await load()).tables,
    query: (query) => runQuery(query, { ...pool, take, clock }),
    close() {
      pool.close();
      database = undefined;
    },
  };
}

async function open(process: SqlProcess, { path, tables }: Database): Promise<SqlProcess> {
  await process.ask({ kind: 'open', path, tables: tables.map(({ name }) => name) });
  return process;
}

type Pool = Pick<SqlPool, 'give' | 'drop'> & { take(): Promise<SqlProcess>; clock: Clock };

/** Sends a query to a process of the pool, and kills the process if it takes too long. */
async function runQuery(
  { sql, parameters, maxRows, timeoutMs, signal }: SqlQuery,
  { take, give, drop, clock }: Pool,
): Promise<SqlOutcome> {
  let process: SqlProcess;
  try {
    process = await take();
  } catch (error) {
    return { failure: 'unavailable', reason: error instanceof Error ? error.message : String(error) };
  }
  let stopped: 'timeout' | 'cancelled' | undefined;
  const stop = (why: typeof stopped) => {
    stopped = why;
    drop(process);
  };
  const onAbort = () => stop('cancelled');
  const cancel = clock.after(timeoutMs, () => stop('timeout'));
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted) onAbort();
  try {
    const reply = await process.ask({ kind: 'query', sql, parameters, maxRows });
    if (reply.kind === 'rows') return { rows: reply.rows };
    return { failure: 'refused', reason: reply.kind === 'failed' ? reply.reason : 'no rows came back' };
  } catch {
    const reason = stopped === 'timeout' ? 'the query took too long' : 'the query was stopped';
    return { failure: stopped ?? 'unavailable', reason };
  } finally {
    cancel();
    signal?.removeEventListener('abort', onAbort);
    give(process);
  }
}
