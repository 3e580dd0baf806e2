import { constants, DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { Json } from '../../schema/json.ts';
import { readNotes } from '../load/load-tables.ts';

export interface QueryRows {
  columns: string[];
  rows: Json[][];
  /** True if there are more rows than requested. */
  isCut: boolean;
  /** Notes about the columns that were used, such as missing values. */
  notes?: string[];
}

interface GuardedQuery {
  sql: string;
  parameters: Readonly<Record<string, SQLInputValue>>;
  maxRows: number;
}

export interface GuardedDatabase {
  /** Throws unless the SQL is a single SELECT over the tables. */
  query(query: GuardedQuery): QueryRows;
  close(): void;
}

const MAX_HEAP_BYTES = 256_000_000;
/** A database of CSV files is small, so it is read from memory. */
const IN_MEMORY = 'PRAGMA mmap_size = 268435456; PRAGMA cache_size = -65536';
const MAX_CELL_CHARS = 4_000;
const LIMITS = { length: 10_000_000, sqlLength: 100_000, exprDepth: 200, compoundSelect: 50, attach: 0 };
/** Functions that read only their arguments. All others (load_extension, readfile, fts3_tokenizer …) are refused. */
const FUNCTIONS: ReadonlySet<string> = new Set(
  (
    'abs avg ceil ceiling char coalesce concat concat_ws count cume_dist date datetime dense_rank exp first_value floor ' +
    'format glob group_concat hex ifnull iif instr julianday lag last_value lead length like ln log log10 log2 lower ' +
    'ltrim max median min mod nth_value ntile nullif percent_rank percentile pow power printf quote random rank replace ' +
    'round row_number rtrim sign sqrt strftime string_agg substr substring sum time timediff total trim trunc typeof ' +
    'unicode unixepoch upper json json_array json_extract json_object json_group_array json_valid -> ->>'
  ).split(' '),
);

/** Opens a database for reading only: a read-only connection, and an authorizer that allows only its tables. */
export function openGuarded(path: string, tables: readonly string[]): GuardedDatabase {
  const database = new DatabaseSync(path, { readOnly: true, allowExtension: false });
  database.exec(
    `PRAGMA hard_heap_limit = ${MAX_HEAP_BYTES}; PRAGMA temp_store = MEMORY; PRAGMA query_only = ON; ${IN_MEMORY}`,
  );
  Object.assign(database.limits, LIMITS);
  const notes = readNotes(database);
  const used = new Set<string>();
  // `json_each` turns a parameter into rows; it reads nothing else.
  const isAllowed = authorize(new Set([...tables, 'json_each']));
  database.setAuthorizer((action, first, second, ...rest) => {
    if (action === constants.SQLITE_READ) used.add(`${first}.${second}`);
    return isAllowed(action, first, second, ...rest);
  });
  return {
    query(query) {
      used.clear();
      const rows = runQuery(database, query);
      const found = notes.flatMap(({ table, column, text }) => (used.has(`${table}.${column}`) ? [text] : []));
      return found.length > 0 ? { ...rows, notes: found } : rows;
    },
    close: () => database.close(),
  };
}

type Authorizer = Parameters<DatabaseSync['setAuthorizer']>[0] & {};

function authorize(tables: ReadonlySet<string>): Authorizer {
  const { SQLITE_OK, SQLITE_DENY, SQLITE_SELECT, SQLITE_READ, SQLITE_FUNCTION, SQLITE_RECURSIVE } = constants;
  return (action, first, second) => {
    if (action === SQLITE_SELECT || action === SQLITE_RECURSIVE) return SQLITE_OK;
    // Without a column it is a name defined in the query itself; its tables are checked separately.
    if (
      action === SQLITE_READ &&
      first !== null &&
      (tables.has(first) || (second === '' && !/^(?:sqlite|pragma)_/i.test(first)))
    )
      return SQLITE_OK;
    if (action === SQLITE_FUNCTION && second !== null && FUNCTIONS.has(second.toLowerCase())) return SQLITE_OK;
    return SQLITE_DENY;
  };
}

function runQuery(database: DatabaseSync, { sql, parameters, maxRows }: GuardedQuery): QueryRows {
  if (sql.includes('\0')) throw new Error('The query contains a NUL character.');
  const statement = database.prepare(sql);
  if (sql.slice(statement.sourceSQL.length).trim() !== '')
    throw new Error('Only one statement is allowed; there is text after it.');
  const columns = statement.columns().map(({ name }) => name);
  if (columns.length === 0) throw new Error('Only a SELECT is allowed.');
  statement.setReturnArrays(true);
  statement.setReadBigInts(true);
  statement.setAllowUnknownNamedParameters(true);
  const rows: Json[][] = [];
  // With `setReturnArrays` each row is an array.
  for (const row of statement.iterate(parameters) as Iterable<unknown> as Iterable<unknown[]>) {
    if (rows.length === maxRows) return { columns, rows, isCut: true };
    rows.push(row.map(toCell));
  }
  return { columns, rows, isCut: false };
}

function toCell(value: unknown): Json {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === 'string') return value.length > MAX_CELL_CHARS ? `${value.slice(0, MAX_CELL_CHARS)}…` : value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return null;
}
