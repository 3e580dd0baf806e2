import type { ColumnFormat } from '../schema/column-format.ts';
import type { DataQuery, DataResult, Drawing } from '../schema/data-query.ts';
import type { Json } from '../schema/json.ts';
import type { QueryRows } from './sql/guarded-database.ts';

/** An answer before it becomes the result of a tool. */
export interface SpaceAnswer {
  text: string;
  sql: string;
  rows: QueryRows;
  formats: Readonly<Record<string, ColumnFormat>>;
  /** Values of the parameters in the SQL. */
  parameters?: Readonly<Record<string, unknown>>;
  /** The computed figures, in one line. */
  echo: string;
  query: DataQuery;
  drawing: Drawing;
  confidence: 'high' | 'medium' | 'low';
  /** Why the confidence is not high. */
  reasons: readonly string[];
}

export type AnswerOutcome = { answer: SpaceAnswer } | { failure: string; isCancelled?: boolean };

/** The result of the tools of a space. */
export function toResult(answer: SpaceAnswer): DataResult {
  const { columns, rows, isCut, notes } = answer.rows;
  return {
    answer: answer.text,
    reading: answer.echo,
    confidence: answer.confidence,
    ...(answer.reasons.length > 0 && { reasons: [...answer.reasons] }),
    drawing: answer.drawing,
    data_query: JSON.parse(JSON.stringify(answer.query)),
    ...(notes && notes.length > 0 && { data_notes: [...notes] }),
    question: answer.echo,
    sql_query: withParameters(answer),
    columns: columns.map((name, index) => ({
      name,
      type: typeName(rows.map((row) => row[index] ?? null)),
      ...(answer.formats[name] && { format: answer.formats[name] }),
    })),
    rows: rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index] ?? null]))),
    row_count: rows.length,
    ...(isCut && { more_rows: true }),
  };
}

/** The SQL with its values, for people; the values themselves are only ever sent as parameters. */
function withParameters({ sql, parameters = {} }: SpaceAnswer): string {
  return sql.replace(/:(p\d+)\b/g, (name, key: string) => {
    const value = parameters[key];
    if (value === undefined) return name;
    return typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`;
  });
}

function typeName(values: readonly Json[]): 'LONG' | 'DOUBLE' | 'STRING' {
  const known = values.filter((value) => value !== null);
  if (known.length === 0 || !known.every((value) => typeof value === 'number')) return 'STRING';
  return known.every((value) => Number.isInteger(value)) ? 'LONG' : 'DOUBLE';
}
