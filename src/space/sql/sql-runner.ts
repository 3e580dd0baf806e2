import type { SQLInputValue } from 'node:sqlite';
import type { Clock } from '../../clock.ts';
import type { LoadedTable } from '../load/load-tables.ts';
import type { TableFile } from '../load/read-table.ts';
import type { QueryRows } from './guarded-database.ts';
import { createSqlPool } from './sql-pool.ts';
import type { SqlProcess, SqlReply, SqlRequest } from './sql-process.ts';

export interface SqlQuery {
  sql: string;
  parameters: Record<string, SQLInputValue>;
  maxRows: number;
  timeoutMs: number;
  signal?: AbortSignal;
}

interface SqlFailure {
  failure: 'timeout' | 'refused' | 'cancelled' | 'unavailable';
  reason: string;
}

/** The outcome of a query: rows, or the reason why there are none. Never thrown. */
export type SqlOutcome = { rows: QueryRows } | SqlFailure;

export interface SqlRunner {
  /** Reads the files once. After a failure, the next question tries again. */
  load(): Promise<LoadedTable[]>;
  query(query: SqlQuery): Promise<SqlOutcome>;
  /** Prepares a SELECT without running it, and returns the columns of its result. */
  describe(sql: string, timeoutMs: number): Promise<{ columns: string[] } | SqlFailure>;
  close(): void;
}

export interface SqlRunnerOptions {
  space: string;
  /** The folder of the database. */
  folder: string;
  files: readonly TableFile[];
  clock: Clock;
}

const LOAD_TIMEOUT_MS = 60_000;

interface Database {
  path: string;
  tables: LoadedTable[];
}

/** Runs queries in separate processes, several at a time, and kills those that take too long. */
export function createSqlRunner({ space, folder, files, clock }: SqlRunnerOptions): SqlRunner {
  const pool = createSqlPool(clock);
  let database: Promise<Database> | undefined;

  const loadOnce = async (): Promise<Database> => {
    const process = pool.start();
    const cancel = clock.after(LOAD_TIMEOUT_MS, () => pool.drop(process));
    try {
      const reply = await process.ask({ kind: 'load', folder, space, files: [...files] });
      if (reply.kind !== 'loaded') throw new Error(reply.kind === 'failed' ? reply.reason : 'the files were not read');
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
    async query({ sql, parameters, maxRows, ...limits }) {
      const request = { kind: 'query', sql, parameters, maxRows } as const;
      const reply = await runRequest(request, limits, { ...pool, take, clock });
      if ('failure' in reply) return reply;
      return reply.kind === 'rows' ? { rows: reply.rows } : { failure: 'refused', reason: 'no rows came back' };
    },
    async describe(sql, timeoutMs) {
      const reply = await runRequest({ kind: 'describe', sql }, { timeoutMs }, { ...pool, take, clock });
      if ('failure' in reply) return reply;
      if (reply.kind === 'described') return { columns: reply.columns };
      return { failure: 'refused', reason: 'no columns came back' };
    },
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

interface Pool {
  take(): Promise<SqlProcess>;
  give(process: SqlProcess): void;
  drop(process: SqlProcess): void;
  clock: Clock;
}

/** Sends a request to a process of the pool, and kills the process if the request takes too long. */
async function runRequest(
  request: SqlRequest,
  { timeoutMs, signal }: Pick<SqlQuery, 'timeoutMs' | 'signal'>,
  { take, give, drop, clock }: Pool,
): Promise<SqlReply | SqlFailure> {
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
    const reply = await process.ask(request);
    return reply.kind === 'failed' ? { failure: 'refused', reason: reply.reason } : reply;
  } catch {
    const reason = stopped === 'timeout' ? 'the query took too long' : 'the query was stopped';
    return { failure: stopped ?? 'unavailable', reason };
  } finally {
    cancel();
    signal?.removeEventListener('abort', onAbort);
    give(process);
  }
}
