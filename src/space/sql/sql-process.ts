import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import type { SQLInputValue } from 'node:sqlite';
import type { LoadedTable } from '../load/load-tables.ts';
import type { TableFile } from '../load/read-table.ts';
import type { QueryRows } from './guarded-database.ts';

/** Requests to the process that runs SQL, one at a time. */
export type SqlRequest =
  | { kind: 'load'; folder: string; space: string; files: TableFile[] }
  | { kind: 'open'; path: string; tables: string[] }
  | { kind: 'query'; sql: string; parameters: Record<string, SQLInputValue>; maxRows: number };

export type SqlReply =
  | { kind: 'loaded'; path: string; tables: LoadedTable[] }
  | { kind: 'opened' }
  | { kind: 'rows'; rows: QueryRows }
  | { kind: 'failed'; reason: string };

/** A process that answers SQL requests one after another. */
export interface SqlProcess {
  /** Rejects if the process ends before it has answered, also because it was killed. */
  ask(request: SqlRequest): Promise<SqlReply>;
  kill(): void;
  readonly isAlive: boolean;
}

const FILE = new URL(`./sql-child${extname(import.meta.url)}`, import.meta.url);

export function startSqlProcess(): SqlProcess {
  const child: ChildProcess = fork(FILE, {
    execArgv: ['--max-old-space-size=512', '--disable-warning=ExperimentalWarning'],
    // The process needs no environment variables, and must not see keys.
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  let waiting: PromiseWithResolvers<SqlReply> | undefined;
  let isAlive = true;
  const end = () => {
    isAlive = false;
    waiting?.reject(new Error('the process that runs SQL has ended'));
    waiting = undefined;
  };
  child.on('message', (reply: SqlReply) => {
    waiting?.resolve(reply);
    waiting = undefined;
    child.unref();
    child.channel?.unref();
  });
  child.once('exit', end);
  child.once('error', end);
  return {
    get isAlive() {
      return isAlive;
    },
    ask(request) {
      if (!isAlive) return Promise.reject(new Error('the process that runs SQL has ended'));
      const asked = Promise.withResolvers<SqlReply>();
      waiting = asked;
      child.ref();
      child.channel?.ref();
      child.send(request, (error) => error && end());
      return asked.promise;
    },
    kill() {
      isAlive = false;
      child.kill('SIGKILL');
    },
  };
}
