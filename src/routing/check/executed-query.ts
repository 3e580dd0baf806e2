import type { ToolCall } from '../../schema/conversation/tool-call.ts';
import { DataQuery } from '../../schema/data-query.ts';
import { isObject, type JsonObject } from '../../schema/json.ts';

/** A query that ran, with its rows. */
export interface ExecutedQuery {
  callId: string;
  query: DataQuery;
  rows: JsonObject[];
  /** The line that says what was computed. */
  reading: string;
}

/** The executed queries of a turn. Results without a query object are left out: there is nothing to hold words against. */
export function readExecuted(calls: readonly ToolCall[]): ExecutedQuery[] {
  return calls.flatMap(({ id, state, result }) => {
    if (state !== 'completed' || !isObject(result)) return [];
    const parsed = DataQuery.safeParse(result.data_query);
    if (!parsed.success) return [];
    const rows = Array.isArray(result.rows) ? result.rows.filter(isObject) : [];
    return [
      { callId: id, query: parsed.data, rows, reading: typeof result.reading === 'string' ? result.reading : '' },
    ];
  });
}

/** The measure that a column holds. Columns of names and helper columns hold none. */
export function measureOfColumn(column: string, { query }: ExecutedQuery): string | undefined {
  const base = column
    .replace(/^(?:share_of|part_of|all)_/, '')
    .replace(/_(?:before|change|change_in_percent|of_the_rest)$/, '');
  const exact = query.measures.find(({ name }) => keyOf(name) === base || base.startsWith(`${keyOf(name)}_per_`));
  if (exact) return exact.name;
  const ending = query.measures.find(({ name }) => base.endsWith(keyOf(name)));
  return ending?.name;
}

/** The column with the figures of a measure. */
export function columnOf(measure: string, { rows, query }: ExecutedQuery): string | undefined {
  const columns = Object.keys(rows[0] ?? {});
  const key = keyOf(measure);
  const divided = query.per === null ? undefined : columns.find((column) => column.startsWith(`${key}_per_`));
  return (
    divided ??
    columns.find((column) => column === key) ??
    columns.find((column) => column.endsWith(key) && typeof rows[0]?.[column] === 'number')
  );
}

function keyOf(measure: string): string {
  return measure.replace(/^number of /, '').replace(/[^\p{L}\p{N}]+/gu, '_');
}

/** Rows that were left out are further from the end that the order begins with. */
export function isLimited({ query }: ExecutedQuery): boolean {
  return query.order !== null && query.limit !== null;
}

export function isAveraged({ query }: ExecutedQuery, measure: string): boolean {
  return (
    query.per !== null || query.measures.some(({ name, aggregate }) => name === measure && aggregate === 'average')
  );
}
