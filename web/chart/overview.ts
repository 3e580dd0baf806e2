import { CHART_STRINGS } from '../panel-strings.ts';
import { formatName, formatValue } from '../parts/format.ts';
import { type DataColumn, type DataResult, type DataRow, isNumeric } from '../state/data-result.ts';

export interface NamedResult {
  /** The source, in words. */
  from: string;
  data: DataResult;
}

const FEWEST_SOURCES = 2;

/** True for one row of figures without a group. */
export function isFigures({ columns, rows }: DataResult): boolean {
  return rows.length === 1 && columns.every(isNumeric);
}

/** Single figures of several sources as one table, a row for each figure. Undefined for a single source. */
export function overviewOf(results: readonly NamedResult[]): DataResult | undefined {
  const figures = results.filter(({ data }) => isFigures(data));
  if (figures.length < FEWEST_SOURCES) return undefined;
  const rows = figures.flatMap(rowsOf);
  const isCompared = rows.some((row) => row[CHART_STRINGS.change] !== undefined);
  const before = CHART_STRINGS.before.toLowerCase();
  const columns: DataColumn[] = [
    { name: CHART_STRINGS.figure, type: 'STRING' },
    { name: CHART_STRINGS.value, type: 'NUMBER' },
    ...(isCompared
      ? [
          { name: before, type: 'NUMBER' },
          { name: CHART_STRINGS.change, type: 'NUMBER' },
        ]
      : []),
    { name: CHART_STRINGS.from, type: 'STRING' },
  ];
  return { columns, rows, rowCount: rows.length };
}

/** Values are texts: each row of the table has a format of its own. */
function rowsOf({ from, data: { columns, rows } }: NamedResult): DataRow[] {
  const [row = {}] = rows;
  const text = (name: string) => {
    const column = columns.find((one) => one.name === name);
    return column && withUnit(formatValue(row[name], column.format), column.unit);
  };
  return columns
    .filter(({ name }) => !/_(?:before|change|change_in_percent)$/.test(name))
    .map(({ name }) => ({
      [CHART_STRINGS.figure]: formatName(name),
      [CHART_STRINGS.value]: text(name) ?? '',
      ...present(CHART_STRINGS.before.toLowerCase(), text(`${name}_before`)),
      ...present(CHART_STRINGS.change, text(`${name}_change_in_percent`)),
      [CHART_STRINGS.from]: from,
    }));
}

function withUnit(text: string, unit: string | undefined): string {
  return unit ? `${text} ${unit}` : text;
}

function present(name: string, value: string | undefined): DataRow {
  return value === undefined ? {} : { [name]: value };
}
