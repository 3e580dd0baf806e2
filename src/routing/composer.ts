import type { CallRecord, TurnView } from '../builtin/conversation.ts';
import { DataQuery, type DataReading, type DataVocabulary } from '../schema/data-query.ts';
import { isObject, type Json, type JsonObject } from '../schema/json.ts';

/** The queries of the last answered turn, which a follow-up edits; none if no turn was answered. */
export interface EarlierQueries {
  parts: { tool: string; query: DataQuery }[];
  assumptions: string[];
  /** The names that its rows showed; there may be more. */
  shown?: { dimension: string; values: string[]; isCut: boolean };
  /** The one time that a ranking over time found, such as 2025-07. */
  shownTime?: string;
  /** The query of the turn before it. */
  previous?: DataQuery;
  /** The messages since then, which were not answered from data. */
  missed: string[];
}

interface ComposeRequest {
  text: string;
  /** Undefined for the first message of a conversation. */
  earlier?: EarlierQueries | undefined;
  isOffered(tool: string): boolean;
}

export interface Composition {
  reading: DataReading;
  /** Query tool → how much of the question its space explains. */
  evidence: { tool: string; words: string[] }[];
  /** Query tools of the nearest reading, also where it is not answered. */
  nearest: string[];
  /** Tools of the last question, if this one continues it. */
  continued: string[];
}

/** Reads questions over the models of all local spaces of an agent. Undefined where there is none to read with. */
export interface Composer {
  compose(request: ComposeRequest): Promise<Composition | undefined>;
  /** The words of the offered spaces; the same object as long as their data is the same. */
  vocabulary(isOffered: (tool: string) => boolean): Promise<DataVocabulary | undefined>;
}

const RUN_QUERY = /(?:^|[_-])run_query_/;

export function isRunQuery(tool: string): boolean {
  return RUN_QUERY.test(tool);
}

/** The last turn that was answered, and the messages since then. */
export function earlierQueries(turns: readonly TurnView[]): EarlierQueries | undefined {
  if (turns.length === 0) return undefined;
  const answered = turns.flatMap(({ records }) => {
    const own = records.filter(({ name }) => isRunQuery(name));
    return own.length > 0 ? [own] : [];
  });
  const partsOf = (records: readonly CallRecord[] = []) =>
    records.flatMap(({ name, arguments: args }) => {
      const query = readQuery(args);
      return query ? [{ tool: name, query }] : [];
    });
  const [record, ...others] = answered.at(-1) ?? [];
  const parts = record ? partsOf([record, ...others]) : [];
  const query = parts[0]?.query;
  const place = turns.findIndex(({ records }) => record !== undefined && records.includes(record));
  const missed = turns.slice(place + 1).map(({ message }) => message.content);
  if (!query || !record) return { parts: [], assumptions: [], missed };
  const result = 'result' in record.outcome ? record.outcome.result : null;
  const [dimension] = query.dimensions;
  const values = shownNames(result, query);
  const isCut = isObject(result) && result.more_rows === true;
  const time = shownTime(result, query);
  const previous = partsOf(answered.at(-2))[0]?.query;
  return {
    parts,
    assumptions: [record, ...others].flatMap(({ arguments: { assumptions: list } }) =>
      Array.isArray(list) ? list.map(String) : [],
    ),
    ...(dimension !== undefined && values.length > 0 && { shown: { dimension, values, isCut } }),
    ...(time !== undefined && { shownTime: time }),
    ...(previous && { previous }),
    missed,
  };
}

/** The rows of a result; none if it has no table. */
export function rowsOf(result: Json): JsonObject[] {
  return isObject(result) && Array.isArray(result.rows) ? result.rows.filter(isObject) : [];
}

function shownTime(result: Json, { dimensions, grain, limit }: DataQuery): string | undefined {
  const [first, ...others] = rowsOf(result).map((row) => Object.values(row)[0]);
  if (!grain || limit !== 1 || dimensions.length > 0 || others.length > 0) return undefined;
  return typeof first === 'string' ? first : undefined;
}

export function readQuery({
  not_expressible: _dropped,
  assumptions: _open,
  ...args
}: JsonObject): DataQuery | undefined {
  const known = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
  const parsed = DataQuery.safeParse(known);
  return parsed.success ? parsed.data : undefined;
}

/** The names in the column of the first dimension. */
export function shownNames(result: Json, { dimensions, grain }: DataQuery): string[] {
  const rows = rowsOf(result);
  const column = Object.keys(rows[0] ?? {})[grain ? 1 : 0];
  if (column === undefined || dimensions.length === 0) return [];
  return [...new Set(rows.flatMap((row) => (typeof row[column] === 'string' ? [row[column]] : [])))];
}

/** The first lines of an answer: what was computed, and what else could be meant. */
export function readingLine(reading: DataReading): string {
  const [note] = reading.reasons;
  const text = `${reading.echo.charAt(0).toUpperCase()}${reading.echo.slice(1)}.`;
  return note === undefined ? text : `${text} Note: ${note}.`;
}

export function otherLine({ choices }: DataReading): string[] {
  const [rival] = choices;
  return rival === undefined ? [] : [`It could also mean: ${rival}.`];
}
