import type { SQLInputValue } from 'node:sqlite';
import type { LoadedTable } from '../load/load-tables.ts';
import type { TableFile } from '../load/read-table.ts';
import type { QueryRows } from './guarded-database.ts';

/** Requests to the process that runs SQL, one at a time. */
export type SqlRequest =
  | { kind: 'load'; folder: string; space: string; files: TableFile[] }
  | { kind: 'open'; path: string; tables: string[] }
  | { kind: 'describe'; sql: string }
  | { kind: 'query'; sql: string; parameters: Record<string, SQLInputValue>; maxRows: number };

export type SqlReply =
  | { kind: 'loaded'; path: string; tables: LoadedTable[] }
  | { kind: 'opened' }
  | { kind: 'described'; columns: string[] }
  | { kind: 'rows'; rows: QueryRows }
  | { kind: 'failed'; reason: string };
