import type { JsonObject } from '../../schema/json.ts';
import { splitSentences } from './answer-parts.ts';
import { type Figure, findFigures } from './find-figures.ts';
import { isNear, isSameValue } from './match-figure.ts';
import type { ResultTable } from './result-tables.ts';

/** Where a figure was found. Without a row it is a count or sum of a column, or comes from the tool's text. */
export interface Place {
  callId: string;
  row?: number;
  column?: string;
}

/** The names that a figure is about. */
export interface Scope {
  names: readonly string[];
  /** True if the names are in the figure's own segment; then no other row may match. */
  isOwn: boolean;
}

export interface LocateInput {
  tables: readonly ResultTable[];
  scope: Scope;
  sentence: string;
}

const TOTAL = /\b(?:total|sum|combined|together|overall|in all|altogether|all of them)\b/i;
const LISTED = /^(?:rows?|results?|entries|items|records)$/i;

/**
 * Looks for a figure in the rows of its names, then in values of the whole table, then in the tool's text. The question
 * is no source: a figure that a user guessed and a model repeats is not confirmed by it.
 */
export function locateFigure(figure: Figure, input: LocateInput): Place | undefined {
  const { tables, scope, sentence } = input;
  const isTotal = TOTAL.test(sentence) && scope.names.length === 0;
  const inRows = isTotal
    ? first(tables, (table) => searchRows(figure, table, ofWhole(table)))
    : locateInRows(figure, tables, scope);
  return (
    inRows ??
    first(tables, (table) => locateCount(figure, table)) ??
    (TOTAL.test(sentence) ? first(tables, (table) => locateSum(figure, table)) : undefined) ??
    first(tables, (table) => locateInProse(figure, table, scope))
  );
}

function first(tables: readonly ResultTable[], locate: (table: ResultTable) => Place | undefined): Place | undefined {
  for (const table of tables) {
    const place = locate(table);
    if (place) return place;
  }
  return undefined;
}

function locateInRows(figure: Figure, tables: readonly ResultTable[], { names, isOwn }: Scope): Place | undefined {
  if (names.length === 0) return first(tables, (table) => searchRows(figure, table, () => true));
  const ofNames = (wanted: readonly string[]) =>
    first(tables, (table) => searchRows(figure, table, rowsOf(table, wanted)));
  const found = ofNames(names);
  if (found) return found;
  // A column with the same value in every row describes the whole table: a total, an average, an overall count.
  const shared = first(tables, (table) => searchRows(figure, table, (_, column) => isShared(table, column)));
  if (shared || isOwn) return shared;
  const others = tables.filter((table) => !table.rows.some((row) => names.some((name) => hasName(row, name))));
  return first(others, (table) => searchRows(figure, table, () => true));
}

/** Matches values that describe a whole table: a single row, or a column with the same value in every row. */
function ofWhole(table: ResultTable): RowTest {
  return (_, column) => table.rows.length === 1 || isShared(table, column);
}

type RowTest = (row: JsonObject, column: string) => boolean;

/** The rows that hold all names; if none does, the rows that hold the last name. */
function rowsOf({ rows }: ResultTable, names: readonly string[]): RowTest {
  const hasAll = (row: JsonObject) => names.every((name) => hasName(row, name));
  if (rows.some(hasAll)) return hasAll;
  const last = names.at(-1) ?? '';
  return (row) => hasName(row, last);
}

function hasName(row: JsonObject, name: string): boolean {
  return Object.values(row).some((cell) => typeof cell === 'string' && cell.toLowerCase() === name.toLowerCase());
}

function isShared({ rows }: ResultTable, column: string): boolean {
  return rows.length > 1 && rows.every((row) => row[column] === rows[0]?.[column]);
}

function searchRows(figure: Figure, table: ResultTable, isWanted: RowTest): Place | undefined {
  for (const [row, cells] of table.rows.entries()) {
    for (const [column, value] of Object.entries(cells)) {
      const format = table.formats.get(column);
      if (isWanted(cells, column) && isSameValue(figure, value, { name: column, format })) {
        return { callId: table.callId, row, column };
      }
    }
  }
  return undefined;
}

/** "The top 5", "10 products": the number of rows. */
function locateCount(figure: Figure, { callId, rows }: ResultTable): Place | undefined {
  if (figure.kind !== 'plain' || figure.value !== rows.length || rows.length === 0) return undefined;
  const columns = Object.keys(rows[0] ?? {}).flatMap((column) => column.split('_'));
  const noun = figure.after.replace(/(?:ies)$/, 'y').replace(/s$/, '');
  const named = columns.find((column) => column === noun && isNameColumn(rows, column));
  const isList = LISTED.test(figure.after) || named !== undefined || /^(?:top|first|bottom|these)$/.test(figure.before);
  return isList ? { callId, ...(named && { column: named }) } : undefined;
}

function isNameColumn(rows: readonly JsonObject[], column: string): boolean {
  return rows.every((row) => typeof row[column] === 'string');
}

function locateSum(figure: Figure, { callId, rows, formats }: ResultTable): Place | undefined {
  for (const column of Object.keys(rows[0] ?? {})) {
    const values = rows.map((row) => row[column]).filter((value) => typeof value === 'number');
    const sum = values.reduce((total, value) => total + value, 0);
    const isSummable = values.length === rows.length && rows.length > 1 && formats.get(column) !== 'percent';
    if (isSummable && figure.kind !== 'percent' && isNear(figure, Math.round(sum * 1e6) / 1e6))
      return { callId, column };
  }
  return undefined;
}

/**
 * Looks in the tool's own sentence. If there are rows, the sentence only supports figures with the same neighbouring
 * word ("5 stars"). Without rows it is the only source, and a figure must be in the same sentence as its name.
 */
function locateInProse(figure: Figure, table: ResultTable, { names }: Scope): Place | undefined {
  const found = findFigures(table.prose).filter((other) => other.kind === figure.kind && isSame(figure, other));
  if (table.rows.length > 0)
    return found.some((other) => isSameSpot(figure, other)) ? { callId: table.callId } : undefined;
  const said = names.length === 0 ? found : found.filter((other) => standsNear(table.prose, other, names));
  return said.length > 0 ? { callId: table.callId } : undefined;
}

function isSame(figure: Figure, other: Figure): boolean {
  return (
    Math.abs(figure.value - other.value) <= Math.max(figure.tolerance - 0.5, 0) + 1e-9 || isNear(figure, other.value)
  );
}

function isSameSpot(figure: Figure, other: Figure): boolean {
  return (
    (figure.after !== '' && figure.after === other.after) ||
    (figure.before !== '' && figure.before === other.before && other.after === '')
  );
}

function standsNear(prose: string, figure: Figure, names: readonly string[]): boolean {
  const sentence = splitSentences(prose).find((part) => figure.start >= part.start && figure.end <= part.end);
  const words = sentence ? prose.slice(sentence.start, sentence.end).toLowerCase() : '';
  return names.some((name) => words.includes(name.toLowerCase()));
}
