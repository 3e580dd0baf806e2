import { type ColumnFormat, formatCell } from '../../schema/column-format.ts';
import type { DataQuery, Drawing } from '../../schema/data-query.ts';
import type { Json } from '../../schema/json.ts';
import type { Measure, SpaceModel } from '../model/model.ts';
import { toPlural } from '../model/nouns.ts';
import { columnName } from '../sql/compile-measure.ts';
import type { QueryRows } from '../sql/guarded-database.ts';

export interface ResultToDescribe {
  query: DataQuery;
  model: SpaceModel;
  rows: QueryRows;
  formats: Readonly<Record<string, ColumnFormat>>;
  /** The column of the first measure. */
  value: string;
}

const NOTHING = 'There are no rows for this.';
const MAX_NAMED = 5;

/** The best way to draw a result: one figure, a line over time, bars for groups, else a table. */
export function drawingOf({ query, rows }: Pick<ResultToDescribe, 'query' | 'rows'>): Drawing {
  if (rows.rows.length < 2) return 'figure';
  if (query.limit_within !== null) return 'table';
  if (query.grain && query.dimensions.length === 0) return query.order ? 'bars' : 'line';
  return query.dimensions.length === 1 && !query.grain ? 'bars' : 'table';
}

/** The result in one or two sentences. Every figure of it is a cell of the rows. */
export function describeResult(result: ResultToDescribe): string {
  const { query, rows } = result;
  const [first] = rows.rows;
  if (!first || figureOf(result, first) === null) return NOTHING;
  if (query.dimensions.length === 0 && !query.grain) return describeFigure(result, first);
  if (query.order) return describeRanking(result, first);
  return describeGroups(result);
}

/** True if there is a figure to answer with. */
export function hasFigure(result: ResultToDescribe): boolean {
  const [first] = result.rows.rows;
  return first !== undefined && figureOf(result, first) !== null;
}

/**
 * The fewest rows behind a group that a ranking shows, if they are fewer than the measure asks for: an average of five
 * reviews wins easily. The group stays in the ranking, because it was asked for, but the answer is not sure.
 */
export function fewRowsOf({ query, model, rows }: Pick<ResultToDescribe, 'query' | 'model' | 'rows'>) {
  const measure = model.measures.get(query.order?.by ?? '');
  const noun = model.tables.get(measure?.table ?? '')?.noun;
  if (!measure || query.limit === null || noun === undefined || measure.minRows < 2) return undefined;
  const place = rows.columns.indexOf(columnName(toPlural(noun)));
  const counts = rows.rows.map((row) => row[place]).filter((cell) => typeof cell === 'number');
  const count = Math.min(...counts);
  if (counts.length === 0 || count >= measure.minRows) return undefined;
  return { count, nouns: count === 1 ? noun : toPlural(noun) };
}

function cellOf({ rows }: ResultToDescribe, row: readonly Json[], column: string): Json {
  return row[rows.columns.indexOf(column)] ?? null;
}

function figureOf(result: ResultToDescribe, row: readonly Json[]): Json {
  return cellOf(result, row, result.value);
}

function measureOf({ query, model }: ResultToDescribe): Measure | undefined {
  return model.measures.get(query.measures[0]?.name ?? '');
}

/** The value with its unit: $1,234, 25.3%, 12 days. */
function written(result: ResultToDescribe, value: Json, column = result.value): string {
  const measure = measureOf(result);
  const text = formatCell(value, result.formats[column]);
  const unit = measure?.unit ?? '';
  const isPlain = column === result.value && result.query.share === 'none' && result.formats[column] === undefined;
  if (!isPlain || unit === 'percent') return text;
  return `${text} ${value === 1 ? unit.replace(/s$/, '') : unit}`;
}

function label(result: ResultToDescribe): string {
  return result.value.replaceAll('_', ' ');
}

function describeFigure(result: ResultToDescribe, row: readonly Json[]): string {
  const { query, rows, formats } = result;
  if (query.share === 'of_whole') {
    const part = rows.columns.find((name) => name.startsWith('part_of_')) ?? '';
    const whole = rows.columns.find((name) => name.startsWith('all_')) ?? '';
    const of = `${formatCell(cellOf(result, row, part), formats[part])} of ${formatCell(cellOf(result, row, whole), formats[whole])}`;
    return `${capital(label(result))}: ${written(result, figureOf(result, row))} (${of}).`;
  }
  if (query.compare && query.period) return describeChange(result, row);
  const list = rows.columns.map((name, index) => {
    const text =
      name === result.value ? written(result, row[index] ?? null) : formatCell(row[index] ?? null, formats[name]);
    return `${name.replaceAll('_', ' ')}: ${text}`;
  });
  return `${capital(list.join(', '))}.`;
}

/** The later period against the earlier one. */
function describeChange(result: ResultToDescribe, row: readonly Json[]): string {
  const { query, rows, formats, value } = result;
  const measures = rows.columns.filter((name) => rows.columns.includes(`${name}_before`));
  const cell = (name: string) => formatCell(cellOf(result, row, name), formats[name]);
  const span = (period: DataQuery['period']) =>
    period?.from === period?.to ? period?.from : `${period?.from} to ${period?.to}`;
  const parts = measures.map((name) => {
    const own = name === value ? written(result, cellOf(result, row, name)) : cell(name);
    return `${name.replaceAll('_', ' ')}: ${own} against ${cell(`${name}_before`)}, a change of ${cell(`${name}_change_in_percent`)}`;
  });
  return `${capital(parts.join('; '))} (${span(query.period)} against ${span(query.compare)}).`;
}

function namesOf({ query }: ResultToDescribe, row: readonly Json[]): string {
  const count = query.dimensions.length + (query.grain ? 1 : 0);
  const names = row.slice(0, count);
  return names.map((name) => formatCell(name, 'text')).join(', ');
}

function describeRanking(result: ResultToDescribe, first: readonly Json[]): string {
  const { query, rows } = result;
  const value = figureOf(result, first);
  const tied = rows.rows.filter((row) => figureOf(result, row) === value);
  const end = query.order?.direction ?? 'highest';
  if (query.limit_within !== null)
    return `${capital(label(result))}, ${end} in each group: ${rows.rows.length} row${rows.rows.length === 1 ? '' : 's'}.`;
  if (tied.length > 1) {
    const named = tied.slice(0, MAX_NAMED).map((row) => namesOf(result, row));
    const more = tied.length > MAX_NAMED ? ' and others' : '';
    return `${named.join('; ')}${more} share the ${end} ${label(result)}: ${written(result, value)}.`;
  }
  if (query.order?.of) return describeGrowth(result, first);
  const noun = query.dimensions[0] ?? query.grain ?? 'row';
  const all =
    query.limit === null
      ? `${rows.isCut ? `More than ${rows.rows.length}` : rows.rows.length} ${rows.rows.length === 1 ? noun : toPlural(noun)}. `
      : '';
  return `${all}${namesOf(result, first)} has the ${end} ${label(result)}: ${written(result, value)}.`;
}

/** The row whose figure changed the most between two periods. */
function describeGrowth(result: ResultToDescribe, first: readonly Json[]): string {
  const { query, formats, value } = result;
  const cell = (name: string) => formatCell(cellOf(result, first, name), formats[name]);
  const change = cell(`${value}_change${query.order?.of === 'growth' ? '_in_percent' : ''}`);
  const end = query.order?.direction ?? 'highest';
  return `${namesOf(result, first)} has the ${end} change of ${label(result)}: ${change}, ${cell(value)} against ${cell(`${value}_before`)}.`;
}

function describeGroups(result: ResultToDescribe): string {
  const { query, rows } = result;
  const known = rows.rows.filter((row) => typeof figureOf(result, row) === 'number');
  const sorted = known.toSorted((a, b) => Number(figureOf(result, b)) - Number(figureOf(result, a)));
  const [top] = sorted;
  const last = sorted.at(-1);
  const noun = query.grain ?? query.dimensions[0] ?? 'row';
  if (!top || !last || sorted.length < 2)
    return top ? `${namesOf(result, top)}: ${written(result, figureOf(result, top))}.` : NOTHING;
  if (figureOf(result, top) === figureOf(result, last)) {
    const list = sorted.slice(0, MAX_NAMED).map((row) => namesOf(result, row));
    const names = `${list.join('; ')}${othersOf(sorted.length, rows.isCut)}`;
    if (isListOfThings(result)) return `${capital(toPlural(noun))}: ${names}.`;
    return `${capital(label(result))} by ${noun}: ${written(result, figureOf(result, top))} each (${names}).`;
  }
  // The ends of a list that is cut may be among the rows that are not shown.
  if (rows.isCut)
    return `${capital(label(result))} by ${noun}: the first ${rows.rows.length} rows are shown, there are more.`;
  const end = (row: readonly Json[], verb: string, word: string) => {
    const text = written(result, figureOf(result, row));
    const tied = sorted
      .filter((one) => figureOf(result, one) === figureOf(result, row))
      .map((one) => namesOf(result, one));
    const names = `${tied.slice(0, MAX_NAMED).join('; ')}${othersOf(tied.length, false)}`;
    return tied.length > 1 ? `${names} share ${word} with ${text}` : `${names} ${verb}${word} with ${text}`;
  };
  return `${capital(label(result))} by ${noun}: ${end(top, 'has ', 'the most')}, ${end(last, '', 'the least')}.`;
}

/** The number of names that are left out, where all of them are known. */
function othersOf(count: number, isCut: boolean | undefined): string {
  if (count <= MAX_NAMED) return '';
  return isCut ? ' and others' : ` and ${count - MAX_NAMED} other${count === MAX_NAMED + 1 ? '' : 's'}`;
}

/** The number of things by the thing itself is 1 for each and says nothing. */
function isListOfThings(result: ResultToDescribe): boolean {
  const { query, model } = result;
  const measure = measureOf(result);
  const isEntity = query.dimensions.some((name) => model.dimensions.get(name)?.entity === measure?.table);
  return measure?.isRowCount === true && isEntity;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
