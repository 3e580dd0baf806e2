import { fillTemplate } from '../builtin/reply.ts';
import { type ColumnFormat, formatCell } from '../schema/column-format.ts';
import type { DataQuery, Drawing } from '../schema/data-query.ts';
import type { Json, JsonObject } from '../schema/json.ts';
import type { TrustedQuestion } from './load/space-file.ts';
import type { QueryRows } from './sql/guarded-database.ts';

/** An answer before it is converted to Genie's format. */
export interface SpaceAnswer {
  text: string;
  sql: string;
  description: string;
  rows: QueryRows;
  formats: Readonly<Record<string, ColumnFormat>>;
  /** Values of the parameters in the SQL. */
  parameters?: Readonly<Record<string, unknown>>;
  /** The computed figures, in one line. Absent for SQL that a person or a model wrote. */
  echo?: string;
  query?: DataQuery;
  drawing?: Drawing;
  confidence: 'high' | 'medium' | 'low';
  /** Why the confidence is not high. */
  reasons: readonly string[];
}

export type AnswerOutcome = { answer: SpaceAnswer } | { failure: string; isCancelled?: boolean };

/** The trusted question's sentence about the first row. */
export function describeRows({ answer, formats }: TrustedQuestion, { columns, rows }: QueryRows): string {
  const [first] = rows;
  if (!first) return 'The data holds nothing for this.';
  const cells = columns.map((column, index) => [column, textOf(first[index], formats[column])] as const);
  return fillTemplate(answer, Object.fromEntries([...cells, ['rows', String(rows.length)] as const]));
}

function textOf(value: Json | undefined, format: ColumnFormat | undefined): string | undefined {
  return value === null || value === undefined ? undefined : formatCell(value, format);
}

export interface MessageIds {
  conversationId: string;
  messageId: string;
}

/** A complete answer in the format of Genie's MCP tools. */
export function completedMessage(answer: SpaceAnswer, ids: MessageIds): JsonObject {
  const { columns, rows, isCut } = answer.rows;
  const described = columns.map((name, index) => ({
    name,
    type_name: typeName(rows.map((row) => row[index] ?? null)),
    ...(answer.formats[name] && { format: answer.formats[name] }),
  }));
  const statement = {
    status: { state: 'SUCCEEDED' },
    manifest: { schema: { columns: described }, total_row_count: rows.length, truncated: isCut },
    result: { data_array: rows },
  };
  return {
    content: {
      textAttachments: [answer.text],
      queryAttachments: [
        { query: withParameters(answer), description: answer.description, statement_response: statement },
      ],
      ...(answer.echo !== undefined && { reading: answer.echo }),
      ...(answer.query && { data_query: toJson(answer.query) }),
      ...(answer.drawing && { drawing: answer.drawing }),
      confidence: answer.confidence,
      ...(answer.reasons.length > 0 && { reasons: [...answer.reasons] }),
      ...(answer.rows.notes && { data_notes: answer.rows.notes }),
    },
    ...ids,
    status: 'COMPLETED',
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

function toJson(query: DataQuery): JsonObject {
  return JSON.parse(JSON.stringify(query));
}

export function runningMessage(ids: MessageIds): JsonObject {
  return { content: { textAttachments: [], queryAttachments: [] }, ...ids, status: 'EXECUTING_QUERY' };
}

export function failedMessage(message: string, ids: MessageIds, status: 'FAILED' | 'CANCELLED' = 'FAILED'): JsonObject {
  return { content: { textAttachments: [], queryAttachments: [] }, ...ids, status, error: { message } };
}

function typeName(values: readonly Json[]): 'LONG' | 'DOUBLE' | 'STRING' {
  const known = values.filter((value) => value !== null);
  if (known.length === 0 || !known.every((value) => typeof value === 'number')) return 'STRING';
  return known.every((value) => Number.isInteger(value)) ? 'LONG' : 'DOUBLE';
}
