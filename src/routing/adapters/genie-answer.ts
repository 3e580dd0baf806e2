import type { DataResult } from '../../schema/data-query.ts';
import { isObject, type Json, type JsonObject, parseJson } from '../../schema/json.ts';

/** An answer of a space: ids to continue with, the status, and the content once it is complete. */
export interface GenieAnswer {
  conversationId: string | undefined;
  messageId: string | undefined;
  status: string;
  text: string;
  description: string | undefined;
  sql: string | undefined;
  columns: GenieColumn[];
  rows: JsonObject[];
  isCut: boolean;
  error: string | undefined;
}

type GenieColumn = DataResult['columns'][number];

/** Reads the result of a query or poll tool: an object, or JSON text. Undefined if it is neither. */
export function readGenieAnswer(result: Json): GenieAnswer | undefined {
  const whole = toObject(result);
  const status = whole && textAt(whole, 'status', 'state');
  if (!whole || status === undefined) return undefined;
  const content = toObject(whole.content ?? null) ?? toObject(whole.response ?? null) ?? whole;
  const attachments = objectsAt(content, 'attachments');
  const query = findQuery(content, attachments);
  const statement = query && (toObject(query.statement_response ?? null) ?? toObject(query.statementResponse ?? null));
  const table = readTable(statement ?? query ?? {});
  return {
    conversationId: textAt(whole, 'conversationId', 'conversation_id'),
    messageId: textAt(whole, 'messageId', 'message_id', 'id'),
    status: status.toUpperCase(),
    text: readTexts(content, attachments),
    description: query && textAt(query, 'description'),
    sql: query && textAt(query, 'query', 'sql'),
    ...table,
    error: readError(whole),
  };
}

/** The answer in the shape that all domains share. */
export function toResult(answer: GenieAnswer): DataResult {
  const { conversationId, messageId, text, description, sql, columns, rows, isCut } = answer;
  return {
    ...(conversationId && { conversation_id: conversationId }),
    ...(messageId && { message_id: messageId }),
    answer: text,
    ...(description && { question: description }),
    ...(sql && { sql_query: sql }),
    columns,
    rows,
    row_count: rows.length,
    ...(isCut && { more_rows: true }),
  };
}

/** Returns an object, or the object in a JSON text. */
function toObject(value: Json): JsonObject | undefined {
  const held = typeof value === 'string' ? parseJson(value) : value;
  return isObject(held) ? held : undefined;
}

function textAt(object: JsonObject, ...keys: string[]): string | undefined {
  const found = keys.map((key) => object[key]).find((value) => typeof value === 'string' && value.trim() !== '');
  return typeof found === 'string' ? found : undefined;
}

function listAt(object: JsonObject, ...keys: string[]): Json[] {
  const found = keys.map((key) => object[key]).find((value) => Array.isArray(value));
  return Array.isArray(found) ? found : [];
}

function objectsAt(object: JsonObject, ...keys: string[]): JsonObject[] {
  return objectsOf(listAt(object, ...keys));
}

function objectsOf(values: readonly Json[]): JsonObject[] {
  return values.map(toObject).filter((value) => value !== undefined);
}

function findQuery(content: JsonObject, attachments: readonly JsonObject[]): JsonObject | undefined {
  const listed = objectsAt(content, 'queryAttachments', 'query_attachments');
  const inside = objectsOf(attachments.map((attachment) => attachment.query ?? null));
  return [...listed, ...inside].at(-1) ?? (content.statement_response ? content : undefined);
}

function readTexts(content: JsonObject, attachments: readonly JsonObject[]): string {
  const listed = listAt(content, 'textAttachments', 'text_attachments').flatMap((item) =>
    typeof item === 'string' ? item : (textAt(toObject(item) ?? {}, 'content', 'text') ?? []),
  );
  const inside = attachments.flatMap((attachment) => textAt(toObject(attachment.text ?? null) ?? {}, 'content') ?? []);
  const plain = listed.length + inside.length === 0 ? (textAt(content, 'answer', 'text') ?? '') : '';
  return [...listed, ...inside, plain].filter((text) => text.trim() !== '').join('\n\n');
}

function readError(whole: JsonObject): string | undefined {
  const error = toObject(whole.error ?? null);
  return error ? textAt(error, 'message', 'error', 'error_code', 'type') : textAt(whole, 'error', 'error_message');
}

/** Rows arrive as plain arrays or as lists of `{string_value}`. Both become objects keyed by column. */
function readTable(statement: JsonObject): Pick<GenieAnswer, 'columns' | 'rows' | 'isCut'> {
  const manifest = toObject(statement.manifest ?? null) ?? {};
  const schema = toObject(manifest.schema ?? null) ?? toObject(statement.schema ?? null) ?? {};
  const columns = listAt(schema, 'columns').flatMap((item) => readColumn(toObject(item)));
  const result = toObject(statement.result ?? null) ?? statement;
  const rows = listAt(result, 'data_array', 'data_typed_array', 'rows', 'dataArray').flatMap((row) =>
    readRow(row, columns),
  );
  return { columns, rows, isCut: manifest.truncated === true };
}

function readColumn(item: JsonObject | undefined): GenieColumn[] {
  const name = item && textAt(item, 'name');
  if (!item || name === undefined) return [];
  const type = textAt(item, 'type_name', 'type_text', 'type');
  return [{ name, ...(type && { type }) }];
}

function readRow(row: Json, columns: readonly GenieColumn[]): JsonObject[] {
  const cells = Array.isArray(row) ? row : listAt(toObject(row) ?? {}, 'values');
  if (cells.length === 0) return Array.isArray(row) ? [] : [toObject(row) ?? {}];
  const entries = cells.map(
    (cell, index) => [columns[index]?.name ?? `column_${index + 1}`, readCell(cell, columns[index])] as const,
  );
  return [Object.fromEntries(entries)];
}

const NUMERIC = /^(?:BYTE|SHORT|INT|INTEGER|LONG|BIGINT|FLOAT|DOUBLE|DECIMAL|NUMBER|REAL)/i;

function readCell(cell: Json, column: GenieColumn | undefined): Json {
  const wrapped = toObject(cell);
  const value = wrapped ? (Object.entries(wrapped).find(([key]) => /_?value$/i.test(key))?.[1] ?? null) : cell;
  const isNumber =
    typeof value === 'string' && NUMERIC.test(column?.type ?? '') && /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(value);
  return isNumber && Number.isFinite(Number(value)) ? Number(value) : value;
}
