import { waitFor } from '../../models/wait.ts';
import type { ToolError } from '../../schema/conversation/tool-call.ts';
import type { DataResult } from '../../schema/data-query.ts';
import { isObject, type Json, type JsonObject, parseJson } from '../../schema/json.ts';
import type { Tool, ToolContext, ToolOutcome } from '../../tools/tool.ts';
import type { AskOptions, DomainAdapter } from './domain-adapter.ts';

const QUERY = /^query_space_(.+)$/;
/** The entry's prefix may come first. */
const POLL = /(?:^|[_-])poll_response_/;
const ENDED = ['COMPLETED', 'FAILED', 'CANCELLED'];
/** Polls quickly at first, for answers that are nearly ready, then more slowly. */
const POLL_MS = [100, 250, 500, 1_000];
const SLOW_POLL_MS = 2_000;
const RETRY_MS = [500, 1_500, 3_000];
const BUSY =
  /\b(?:HTTP (?:429|5\d\d)|429|50[0-4]|too many requests|rate limit|RESOURCE_EXHAUSTED|TEMPORARILY_UNAVAILABLE|INTERNAL_ERROR|not reachable)\b/i;
const DENIED =
  /\b(?:HTTP 40[13]|40[13]|PERMISSION_DENIED|UNAUTHENTICATED|permission denied|access denied|forbidden|not authori[sz]ed|(?:not|no) (?:have )?permission|insufficient privileges)\b/i;
const FORGOTTEN =
  /conversation.{0,60}(?:not exist|not found|unknown|expired|deleted)|(?:no such|unknown) conversation/i;

/** Databricks Genie over MCP: each space has a query tool and a poll tool. A busy space is asked again. */
export const genie: DomainAdapter = {
  name: 'genie',
  asks: (tool) => QUERY.test(serverNameOf(tool)),
  findHelpers: findPoll,
  isHelperName: (name) => POLL.test(name),
  join: (query, [poll = query], options) => ({
    ...query,
    readOnly: true,
    run: (args, context) => ask(args, { query, poll, context, options }),
  }),
  conversationArgument: 'conversation_id',
};

/** Returns the poll tool of a query tool, from the same source. */
function findPoll(query: Tool, tools: readonly Tool[]): readonly Tool[] | undefined {
  const name = `poll_response_${QUERY.exec(serverNameOf(query))?.[1]}`;
  const poll = tools.find((other) => serverNameOf(other) === name && other.source === query.source);
  return poll && [poll];
}

function serverNameOf(tool: Tool): string {
  return tool.serverName ?? tool.name;
}

interface Asking {
  query: Tool;
  poll: Tool;
  context: ToolContext;
  options: AskOptions;
}

/** Sends a question to a space, polls until the space has finished, and returns the answer in one shape. */
async function ask(args: JsonObject, asking: Asking): Promise<ToolOutcome> {
  const first = await callPatiently(asking.query, args, asking);
  const isForgotten = 'error' in first && args.conversation_id !== undefined && FORGOTTEN.test(first.error.message);
  const { conversation_id: _forgotten, ...fresh } = args;
  const outcome = isForgotten ? await callPatiently(asking.query, fresh, asking) : first;
  return 'error' in outcome ? outcome : followUp(outcome.result, asking);
}

/** Polls until the space has finished. Unknown statuses count as unfinished; the caller's deadline ends the wait. */
async function followUp(result: Json, asking: Asking): Promise<ToolOutcome> {
  const { context, options, poll } = asking;
  let answer = readGenieAnswer(result);
  // An unrelated tool may have such a name. Its result is then returned unchanged.
  if (!answer) return failedText(result) ?? { result };
  for (let polls = 0; !ENDED.includes(answer.status); polls++) {
    const { conversationId, messageId }: GenieAnswer = answer;
    if (!conversationId || !messageId)
      return fail('The space sent no conversation and message id, so its answer cannot be fetched.');
    context.progress(answer.status.toLowerCase().replaceAll('_', ' '));
    await waitFor({ ms: POLL_MS[polls] ?? SLOW_POLL_MS, clock: options.clock, signal: context.signal });
    const outcome = await callPatiently(poll, { conversation_id: conversationId, message_id: messageId }, asking);
    if ('error' in outcome) return outcome;
    const next = readGenieAnswer(outcome.result);
    if (!next) return failedText(outcome.result) ?? fail('The space sent an unreadable answer.');
    answer = { ...next, conversationId: next.conversationId ?? conversationId, messageId: next.messageId ?? messageId };
  }
  if (answer.status === 'CANCELLED') return fail('The space cancelled the question.');
  if (answer.status === 'FAILED')
    return fail((answer.error ?? answer.text).trim() || 'The space could not answer this.');
  return { result: toResult(answer) };
}

/** Retries while the space is busy. Asking has no side effects there. */
async function callPatiently(tool: Tool, args: JsonObject, { context, options }: Asking): Promise<ToolOutcome> {
  for (let tries = 0; ; tries++) {
    const outcome = readFailure(await tool.run(args, context));
    const waitMs = RETRY_MS[tries];
    if (!('error' in outcome) || waitMs === undefined || !BUSY.test(outcome.error.message)) return outcome;
    context.progress('busy, retrying');
    const jitter = 0.75 + 0.5 * (options.random ?? Math.random)();
    await waitFor({ ms: waitMs * jitter, clock: options.clock, signal: context.signal });
  }
}

/** Maps every kind of failure to one shape and separates "permission denied" from other errors. */
function readFailure(outcome: ToolOutcome): ToolOutcome {
  if ('error' in outcome) {
    const { error } = outcome;
    return error.error_type === 'ToolInvocationError' ? { ...outcome, error: toError(error.message) } : outcome;
  }
  const answer = readGenieAnswer(outcome.result);
  const message = answer?.status === 'FAILED' ? (answer.error ?? answer.text) : '';
  return BUSY.test(message) || FORGOTTEN.test(message) ? fail(message) : outcome;
}

/** Recognizes an error text in place of an answer. */
function failedText(result: Json): ToolOutcome | undefined {
  return typeof result === 'string' && /^\s*(?:error|exception|failed)\b/i.test(result) ? fail(result) : undefined;
}

function fail(message: string): ToolOutcome {
  return { error: toError(message) };
}

function toError(message: string): ToolError {
  return {
    error_type: DENIED.test(message) ? 'PermissionDenied' : 'ToolInvocationError',
    message: message.trim() || message,
  };
}

/** An answer of a space: ids to continue with, the status, and the content once it is complete. */
interface GenieAnswer {
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
function readGenieAnswer(result: Json): GenieAnswer | undefined {
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
function toResult(answer: GenieAnswer): DataResult {
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
