import { fillTemplate } from '../builtin/reply.ts';
import { type ColumnFormat, formatCell } from '../schema/column-format.ts';
import type { Json, JsonObject } from '../schema/json.ts';
import type { UnusedPart } from './find-unused.ts';
import type { QueryRows } from './guarded-database.ts';
import type { QuestionMatch } from './match-question.ts';

/** What a question came to, before it is put into the shape that Genie answers in. */
export interface SpaceAnswer {
  text: string;
  sql: string;
  description: string;
  rows: QueryRows;
  formats: Readonly<Record<string, ColumnFormat>>;
  /** The words of the question that it does not rest on. */
  unused: readonly UnusedPart[];
  /** What the rows are told apart by, where one figure for all was asked for and none is there. */
  onlyBy?: string;
}

/** A trusted question with its parameters filled in. */
export function nameQuestion({ question, filled }: QuestionMatch): string {
  return question.question.replace(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = question.parameters[name];
    const value = String(filled.values[name] ?? '');
    const isList = parameter?.type === 'value' && parameter.many && filled.named.includes(name);
    return isList ? (JSON.parse(value) as string[]).join(', ') : value; // written as a list by `fillParameters`
  });
}

/** The trusted question's sentence about the first row. */
export function describeRows({ question, filled }: QuestionMatch, { columns, rows }: QueryRows): string {
  const [first] = rows;
  if (!first) return question.none ?? 'The data holds nothing for this.';
  const cells = columns.map((column, index) => [column, textOf(first[index], question.formats[column])] as const);
  const parameters = Object.entries(filled.values).map(
    ([name, value]) => [name, value === null ? undefined : String(value)] as const,
  );
  const values = Object.fromEntries([...parameters, ...cells, ['rows', String(rows.length)] as const]);
  return fillTemplate(rows.length === 1 ? (question.one ?? question.answer) : question.answer, values);
}

function textOf(value: Json | undefined, format: ColumnFormat | undefined): string | undefined {
  return value === null || value === undefined ? undefined : formatCell(value, format);
}

export interface MessageIds {
  conversationId: string;
  messageId: string;
}

/** A whole answer as Genie's MCP tools send it. */
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
      queryAttachments: [{ query: answer.sql, description: answer.description, statement_response: statement }],
      ...(answer.onlyBy !== undefined && { given_only_by: answer.onlyBy }),
      ...(answer.rows.notes && { data_notes: answer.rows.notes }),
      ...(answer.unused.length > 0 && { not_taken_into_account: answer.unused.map((part) => ({ ...part })) }),
    },
    ...ids,
    status: 'COMPLETED',
  };
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
