import { type ColumnFormat, isColumnFormat } from '../../schema/column-format.ts';
import type { ToolCall } from '../../schema/conversation/tool-call.ts';
import { isObject, type Json, type JsonObject } from '../../schema/json.ts';

/** The result of a completed call, as rows with columns and as text. */
export interface ResultTable {
  callId: string;
  tool: string;
  domain: string | undefined;
  rows: JsonObject[];
  formats: ReadonlyMap<string, ColumnFormat>;
  /** The tool's answer in words. */
  prose: string;
  /** The question that the tool was asked. */
  asked: string;
}

const MAX_ROWS = 2_000;

/** Reads the results that an answer is checked against, in call order. */
export function readResultTables(calls: readonly ToolCall[]): ResultTable[] {
  return calls
    .filter((call) => call.state === 'completed')
    .map((call) => ({
      callId: call.id,
      tool: call.name,
      domain: call.domain,
      asked: Object.values(call.arguments).map(String).join(' '),
      ...readResult(call.result ?? null),
    }));
}

function readResult(result: Json): Pick<ResultTable, 'rows' | 'formats' | 'prose'> {
  if (typeof result === 'string') return { rows: [], formats: new Map(), prose: result };
  if (Array.isArray(result)) return { rows: result.slice(0, MAX_ROWS).map(toRow), formats: new Map(), prose: '' };
  if (!isObject(result)) return { rows: [{ value: result }], formats: new Map(), prose: '' };
  const prose = typeof result.answer === 'string' ? result.answer : '';
  if (Array.isArray(result.rows)) {
    const rows = result.rows.slice(0, MAX_ROWS).map(toRow);
    return { rows, formats: readFormats(result.columns), prose };
  }
  const [lists, rest] = splitLists(result);
  const rows = [...lists.flat().slice(0, MAX_ROWS).map(toRow), ...(Object.keys(rest).length > 0 ? [toRow(rest)] : [])];
  return { rows, formats: new Map(), prose };
}

/** Lists of records become rows. The other fields form one more row. */
function splitLists(result: JsonObject): [Json[][], JsonObject] {
  const entries = Object.entries(result);
  const lists = entries.filter(([, value]) => Array.isArray(value)).map(([, value]) => value as Json[]); // filtered before
  return [lists, Object.fromEntries(entries.filter(([, value]) => !Array.isArray(value)))];
}

/** Nested fields get dotted names. */
function toRow(value: Json): JsonObject {
  if (!isObject(value)) return { value };
  const entries = Object.entries(value).flatMap(([name, inner]): [string, Json][] =>
    isObject(inner) ? Object.entries(toRow(inner)).map(([key, item]) => [`${name}.${key}`, item]) : [[name, inner]],
  );
  return Object.fromEntries(entries);
}

function readFormats(columns: Json | undefined): Map<string, ColumnFormat> {
  const formats = new Map<string, ColumnFormat>();
  for (const column of Array.isArray(columns) ? columns : []) {
    if (!isObject(column) || typeof column.name !== 'string') continue;
    if (isColumnFormat(column.format)) formats.set(column.name, column.format);
  }
  return formats;
}
