import type { Clock } from '../clock.ts';
import type { Json, JsonObject } from '../schema/json.ts';
import type { ToolError } from '../schema/tool-call.ts';
import type { Tool, ToolContext, ToolOutcome } from '../tools/tool.ts';
import { type GenieAnswer, readGenieAnswer } from './genie-answer.ts';
import { pause } from './pause.ts';

const QUERY = /^query_space_(.+)$/;
const ENDED = ['COMPLETED', 'FAILED', 'CANCELLED'];
/** Quick at first, for what is nearly there; then patient. */
const POLL_MS = [100, 250, 500, 1_000, 2_000];
const RETRY_MS = [500, 1_500, 3_000];
const BUSY =
  /\b(?:HTTP (?:429|5\d\d)|429|50[0-4]|too many requests|rate limit|RESOURCE_EXHAUSTED|TEMPORARILY_UNAVAILABLE|INTERNAL_ERROR|not reachable)\b/i;
const DENIED =
  /\b(?:HTTP 40[13]|40[13]|PERMISSION_DENIED|UNAUTHENTICATED|permission denied|access denied|forbidden|not authori[sz]ed|(?:not|no) (?:have )?permission|insufficient privileges)\b/i;
const FORGOTTEN =
  /conversation.{0,60}(?:not exist|not found|unknown|expired|deleted)|(?:no such|unknown) conversation/i;

export interface GenieOptions {
  clock: Clock;
  /** For the waits between tries. */
  random?: () => number;
}

/** Replaces every pair of query and poll tools by one tool that asks and waits. Other tools stay as they are. */
export function joinGenieTools(tools: readonly Tool[], options: GenieOptions): Tool[] {
  const pollOf = (tool: Tool) => {
    const name = `poll_response_${QUERY.exec(serverNameOf(tool))?.[1]}`;
    return tools.find((other) => serverNameOf(other) === name && other.source === tool.source);
  };
  const polls = new Set(tools.flatMap((tool) => pollOf(tool) ?? []));
  return tools
    .filter((tool) => !polls.has(tool))
    .map((tool) => {
      const poll = pollOf(tool);
      return poll ? joinTools(tool, poll, options) : tool;
    });
}

function serverNameOf(tool: Tool): string {
  return tool.serverName ?? tool.name;
}

/** One question to one space: asked, polled until it has ended, and read into one shape. */
function joinTools(query: Tool, poll: Tool, options: GenieOptions): Tool {
  return {
    ...query,
    readOnly: true,
    async run(args, context) {
      const asking: Asking = { query, poll, context, options };
      const first = await callPatiently(query, args, asking);
      const isForgotten = 'error' in first && args.conversation_id !== undefined && FORGOTTEN.test(first.error.message);
      const { conversation_id: _forgotten, ...fresh } = args;
      const outcome = isForgotten ? await callPatiently(query, fresh, asking) : first;
      return 'error' in outcome ? outcome : followUp(outcome.result, asking);
    },
  };
}

interface Asking {
  query: Tool;
  poll: Tool;
  context: ToolContext;
  options: GenieOptions;
}

/** Polls until the space has ended; an unknown status is one that is not over. The caller's deadline ends the waiting. */
async function followUp(result: Json, asking: Asking): Promise<ToolOutcome> {
  const { poll, context, options } = asking;
  let answer = readGenieAnswer(result);
  // Any other tool may carry such a name; what it says is then its answer.
  if (!answer) return failedText(result) ?? { result };
  for (let polls = 0; !ENDED.includes(answer.status); polls++) {
    const { conversationId, messageId }: GenieAnswer = answer;
    if (!conversationId || !messageId) return fail('The space did not say how to ask for its answer.');
    context.progress(describeStatus(answer.status));
    await pause(POLL_MS[polls] ?? POLL_MS.at(-1) ?? 0, { clock: options.clock, signal: context.signal });
    const outcome = await callPatiently(poll, { conversation_id: conversationId, message_id: messageId }, asking);
    if ('error' in outcome) return outcome;
    const next = readGenieAnswer(outcome.result);
    if (!next) return failedText(outcome.result) ?? fail('The space sent an answer that cannot be read.');
    answer = { ...next, conversationId: next.conversationId ?? conversationId, messageId: next.messageId ?? messageId };
  }
  return toOutcome(answer);
}

function toOutcome(answer: GenieAnswer): ToolOutcome {
  if (answer.status === 'CANCELLED') return fail('The question was cancelled by the space.');
  if (answer.status === 'FAILED')
    return { error: toError(answer.error ?? answer.text, 'The space could not answer this.') };
  return { result: toResult(answer) };
}

/** The ids come first, so that they are still there when a long result is cut. */
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
}: GenieAnswer): JsonObject {
  return {
    ...(conversationId && { conversation_id: conversationId }),
    ...(messageId && { message_id: messageId }),
    answer: text,
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

/** A space that is busy is asked again; asking changes nothing there. */
async function callPatiently(tool: Tool, args: JsonObject, { context, options }: Asking): Promise<ToolOutcome> {
  for (let tries = 0; ; tries++) {
    const outcome = readFailure(await tool.run(args, context));
    const waitMs = RETRY_MS[tries];
    if (!('error' in outcome) || waitMs === undefined || !BUSY.test(outcome.error.message)) return outcome;
    context.progress('busy, asking again');
    const jitter = 0.75 + 0.5 * (options.random ?? Math.random)();
    await pause(waitMs * jitter, { clock: options.clock, signal: context.signal });
  }
}

/** Failures of every kind in one shape: denied is told apart from failed. */
function readFailure(outcome: ToolOutcome): ToolOutcome {
  if ('error' in outcome) {
    const { error } = outcome;
    return error.error_type === 'ToolInvocationError'
      ? { ...outcome, error: toError(error.message, error.message) }
      : outcome;
  }
  const answer = readGenieAnswer(outcome.result);
  const said = answer?.status === 'FAILED' ? (answer.error ?? answer.text) : '';
  return BUSY.test(said) || FORGOTTEN.test(said) ? { error: toError(said, said) } : outcome;
}

/** A text that tells of an error, where an answer was expected. */
function failedText(result: Json): ToolOutcome | undefined {
  if (typeof result !== 'string' || !/^\s*(?:error|exception|failed)\b/i.test(result)) return undefined;
  return { error: toError(result, result) };
}

function toError(said: string, otherwise: string): ToolError {
  const message = said.trim() || otherwise;
  return { error_type: DENIED.test(said) ? 'PermissionDenied' : 'ToolInvocationError', message };
}

function fail(message: string): ToolOutcome {
  return { error: { error_type: 'ToolInvocationError', message } };
}

function describeStatus(status: string): string {
  return status.toLowerCase().replaceAll('_', ' ');
}
