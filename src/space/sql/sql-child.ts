/** The process that reads CSV files and runs SQL. Its parent kills it when a query takes too long. */
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { describeTables, loadTables } from '../load/load-tables.ts';
import { type GuardedDatabase, openGuarded } from './guarded-database.ts';
import type { SqlReply, SqlRequest } from './sql-process.ts';

/** A query blocks this thread, so another thread watches the parent: without a parent, no process could kill us. */
const WATCH = `
  const { parentPid } = require('node:worker_threads').workerData;
  setInterval(() => { if (process.ppid !== parentPid) process.kill(process.pid, 'SIGKILL'); }, 1000);
`;

let guarded: GuardedDatabase | undefined;

async function answer(request: SqlRequest): Promise<SqlReply> {
  if (request.kind === 'load') {
    const { path } = await loadTables(request.folder, request.space, request.files);
    const database = new DatabaseSync(path, { readOnly: true });
    const names = request.files.map(({ name }) => name);
    const tables = describeTables(database, names);
    database.close();
    return { kind: 'loaded', path, tables };
  }
  if (request.kind === 'open') {
    guarded?.close();
    guarded = openGuarded(request.path, request.tables);
    return { kind: 'opened' };
  }
  if (!guarded) return { kind: 'failed', reason: 'no database is open' };
  return { kind: 'rows', rows: guarded.query(request) };
}

process.on('message', async (request: SqlRequest) => {
  let reply: SqlReply;
  try {
    reply = await answer(request);
  } catch (error) {
    reply = { kind: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
  process.send?.(reply);
});
process.on('disconnect', () => process.exit(0));
const watch = new Worker(WATCH, { eval: true, workerData: { parentPid: process.ppid } });
watch.unref();
