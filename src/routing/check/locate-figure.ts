import { type ColumnFormat, formatCell, isMoney } from '../../schema/column-format.ts';
import type { Json, JsonObject } from '../../schema/json.ts';
import { splitSentences } from './answer-parts.ts';
import { type Figure, findFigures } from './find-figures.ts';
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

const SHARE_NAME = /(?:percent|pct|rate|share|ratio|proportion|margin|%)/i;
const COUNT_NAME =
  /(?:count|units?|orders|customers|reviews|days|carts|number|stock|id|amount|revenue|value|price|cost|spent)$/i;
/** Smaller numbers are not rounded to whole ones unless the text says so ("about"). */
const LEAST_ROUNDED = 10;

/** True if a figure is this value in a usual notation: rounded, in percent, with separators or in millions. */
function isSameValue(
  figure: Figure,
  value: Json,
  column: { name: string; format?: ColumnFormat | undefined },
): boolean {
  if (typeof value === 'string') return isSameText(figure, value);
  if (typeof value !== 'number') return false;
  if (formatCell(value, column.format) === figure.text) return true;
  if (figure.kind !== 'percent') {
    if (figure.kind === 'money' && column.format === 'percent') return false;
    return isNear(figure, value);
  }
  const isRatio = Math.abs(value) <= 1.5 && !isMoney(column.format) && !COUNT_NAME.test(column.name);
  if (isRatio && isNear(figure, value * 100)) return true;
  if (column.format === 'percent') return isNear(figure, value * 100);
  return (SHARE_NAME.test(column.name) || !COUNT_NAME.test(column.name)) && isNear(figure, value);
}

/** "25%" in a cell is 25 percent; "1,234" is a number. */
function isSameText(figure: Figure, text: string): boolean {
  const match = /^\s*\p{Sc}?\s?(-?\d[\d,]*(?:\.\d+)?)\s*(%|percent)?\s*$/iu.exec(text);
  if (!match || (figure.kind === 'percent') !== (match[2] !== undefined)) return false;
  return isNear(figure, Number(String(match[1]).replaceAll(',', '')));
}

function isNear(figure: Figure, value: number): boolean {
  const distance = Math.abs(figure.value - value);
  if (distance <= 1e-9 * Math.max(1, Math.abs(value))) return true;
  if (figure.rounded) return isRoundedTo(figure, value);
  const isWhole = Number.isInteger(figure.value) && figure.tolerance === 0.5;
  // Only a value with a fraction can be rounded to a whole number; whole values must match exactly.
  if (isWhole && (Number.isInteger(value) || (Math.abs(value) < LEAST_ROUNDED && figure.kind === 'plain')))
    return false;
  return distance <= figure.tolerance * (1 + 1e-9);
}

/** "About 1,200" may be 1,187; "over 1,000" may be 1,089, but not 4,000. */
function isRoundedTo(figure: Figure, value: number): boolean {
  const zeros = /0*$/.exec(String(Math.abs(Math.round(figure.value))))?.[0].length ?? 0;
  const unit = Math.max(2 * figure.tolerance, 10 ** zeros);
  if (figure.rounded === 'near')
    return Math.abs(figure.value - value) <= unit / 2 || Math.abs(figure.value - value) <= 0.05 * Math.abs(value);
  const over = figure.rounded === 'up' ? value - figure.value : figure.value - value;
  return over >= 0 && over <= Math.max(unit, 0.1 * Math.abs(figure.value));
}
