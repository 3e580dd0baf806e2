import { waitFor } from '../../models/wait.ts';
import type { ToolError } from '../../schema/conversation/tool-call.ts';
import type { Json, JsonObject } from '../../schema/json.ts';
import type { Tool, ToolContext, ToolOutcome } from '../../tools/tool.ts';
import type { AskOptions, DomainAdapter } from './domain-adapter.ts';
import { type GenieAnswer, readGenieAnswer, toResult } from './genie-answer.ts';

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
