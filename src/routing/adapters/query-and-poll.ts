import type { ToolError } from '../../schema/conversation/tool-call.ts';
import type { Json, JsonObject } from '../../schema/json.ts';
import type { Tool, ToolContext, ToolOutcome } from '../../tools/tool.ts';
import type { AskOptions } from './domain-adapter.ts';
import { type GenieAnswer, readGenieAnswer } from './genie-answer.ts';
import { pause } from './pause.ts';

const QUERY = /^(?:query_space|run_query)_(.+)$/;
/** The entry's prefix may come first. */
const POLL = /(?:^|[_-])poll_response_/;
const ENDED = ['COMPLETED', 'FAILED', 'CANCELLED'];
/** Polls quickly at first, for answers that are nearly ready, then more slowly. */
const POLL_MS = [100, 250, 500, 1_000, 2_000];

export function isQueryTool(tool: Tool): boolean {
  return QUERY.test(serverNameOf(tool));
}

export function isPollName(name: string): boolean {
  return POLL.test(name);
}

/** Returns the poll tool of a query tool, from the same source. */
export function findPoll(query: Tool, tools: readonly Tool[]): readonly Tool[] | undefined {
  const name = `poll_response_${QUERY.exec(serverNameOf(query))?.[1]}`;
  const poll = tools.find((other) => serverNameOf(other) === name && other.source === query.source);
  return poll && [poll];
}

function serverNameOf(tool: Tool): string {
  return tool.serverName ?? tool.name;
}

export interface Polling {
  context: ToolContext;
  options: AskOptions;
  /** Calls the poll tool. */
  poll(args: JsonObject): Promise<ToolOutcome>;
  /** Returns the error for a failure that the domain reports in words. */
  toError(message: string): ToolError;
}

/** Polls until the space has finished. Unknown statuses count as unfinished; the caller's deadline ends the wait. */
export async function followUp(result: Json, { context, options, poll, toError }: Polling): Promise<ToolOutcome> {
  let answer = readGenieAnswer(result);
  // An unrelated tool may have such a name. Its result is then returned unchanged.
  if (!answer) return failedText(result, toError) ?? { result };
  for (let polls = 0; !ENDED.includes(answer.status); polls++) {
    const { conversationId, messageId }: GenieAnswer = answer;
    if (!conversationId || !messageId)
      return fail('The space sent no conversation and message id, so its answer cannot be fetched.');
    context.progress(describeStatus(answer.status));
    await pause(POLL_MS[polls] ?? POLL_MS.at(-1) ?? 0, { clock: options.clock, signal: context.signal });
    const outcome = await poll({ conversation_id: conversationId, message_id: messageId });
    if ('error' in outcome) return outcome;
    const next = readGenieAnswer(outcome.result);
    if (!next) return failedText(outcome.result, toError) ?? fail('The space sent an unreadable answer.');
    answer = { ...next, conversationId: next.conversationId ?? conversationId, messageId: next.messageId ?? messageId };
  }
  return toOutcome(answer, toError);
}

function toOutcome(answer: GenieAnswer, toError: Polling['toError']): ToolOutcome {
  if (answer.status === 'CANCELLED') return fail('The space cancelled the question.');
  if (answer.status === 'FAILED') {
    return { error: toError((answer.error ?? answer.text).trim() || 'The space could not answer this.') };
  }
  return { result: toResult(answer) };
}

/** The ids come first, so that they survive when a long result is cut. */
function toResult({
  conversationId,
  messageId,
  text,
  description,
  sql,
  columns,
  rows,
  isCut,
  unused,
  onlyBy,
  notes,
  composed,
}: GenieAnswer): JsonObject {
  return {
    ...(conversationId && { conversation_id: conversationId }),
    ...(messageId && { message_id: messageId }),
    answer: text,
    ...composed,
    ...(unused.length > 0 && { not_taken_into_account: unused }),
    ...(onlyBy && { given_only_by: onlyBy }),
    ...(notes.length > 0 && { data_notes: notes }),
    ...(description && { question: description }),
    ...(sql && { sql_query: sql }),
    columns: columns.map((column) => ({ ...column })),
    rows,
    row_count: rows.length,
    ...(isCut && { more_rows: true }),
  };
}

/** Recognizes an error text in place of an answer. */
function failedText(result: Json, toError: Polling['toError']): ToolOutcome | undefined {
  if (typeof result !== 'string' || !/^\s*(?:error|exception|failed)\b/i.test(result)) return undefined;
  return { error: toError(result.trim()) };
}

function fail(message: string): ToolOutcome {
  return { error: { error_type: 'ToolInvocationError', message } };
}

function describeStatus(status: string): string {
  return status.toLowerCase().replaceAll('_', ' ');
}
