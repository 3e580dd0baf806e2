import type { ColumnFormat } from '../../src/schema/column-format.ts';
import type { DataQuery, Drawing } from '../../src/schema/data-query.ts';
import type { Json } from '../api/shapes.ts';

export interface DataColumn {
  name: string;
  type: string;
  format?: ColumnFormat;
  /** The unit of the values, such as units or days. */
  unit?: string;
}

export type DataRow = Readonly<Record<string, Json>>;

/** Rows that a space or another data tool has returned. */
export interface DataResult {
  columns: readonly DataColumn[];
  rows: readonly DataRow[];
  rowCount: number;
  /** The source has more rows than it returned. */
  hasMore?: true;
  query?: string;
  /** The best way to draw the rows, if the tool says so. */
  drawing?: Drawing;
  /** The computed query, if the tool composed one. */
  dataQuery?: Partial<DataQuery>;
  /** The question that was computed, in words. */
  question?: string;
}

export function readDataResult(result: Json | undefined): DataResult | undefined {
  if (!isRecord(result) || !Array.isArray(result.rows) || !Array.isArray(result.columns)) return undefined;
  const columns = result.columns.flatMap(readColumn);
  const rows = result.rows.filter(isRecord);
  if (columns.length === 0 || rows.length !== result.rows.length) return undefined;
  const { sql_query: query, question, row_count: count, drawing, data_query: dataQuery } = result;
  return {
    columns,
    rows,
    rowCount: typeof count === 'number' ? count : rows.length,
    ...(typeof query === 'string' && { query }),
    ...(typeof question === 'string' && { question }),
    ...(isDrawing(drawing) && { drawing }),
    ...(result.more_rows === true && { hasMore: true }),
    // Spaces are checked by the server; the page reads single fields and expects none.
    ...(isRecord(dataQuery) && { dataQuery: dataQuery as Partial<DataQuery> }),
  };
}

const DRAWINGS: readonly unknown[] = ['figure', 'bars', 'line', 'table'] satisfies Drawing[];

function isDrawing(value: Json | undefined): value is Drawing {
  return DRAWINGS.includes(value);
}

function readColumn(column: Json): DataColumn[] {
  if (!isRecord(column) || typeof column.name !== 'string') return [];
  const { name, type, format, unit } = column;
  // A format that the page does not know is shown like none.
  const known = typeof format === 'string' ? { format: format as ColumnFormat } : {};
  return [
    { name, type: typeof type === 'string' ? type : 'STRING', ...known, ...(typeof unit === 'string' && { unit }) },
  ];
}

function isRecord(value: Json | undefined): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isNumeric({ type }: DataColumn): boolean {
  return /LONG|INT|DOUBLE|DECIMAL|FLOAT|NUM|REAL/i.test(type);
}
