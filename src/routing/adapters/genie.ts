import type { ToolError } from '../../schema/conversation/tool-call.ts';
import type { JsonObject } from '../../schema/json.ts';
import type { Tool, ToolContext, ToolOutcome } from '../../tools/tool.ts';
import type { AskOptions, DomainAdapter } from './domain-adapter.ts';
import { readGenieAnswer } from './genie-answer.ts';
import { pause } from './pause.ts';
import { findPoll, followUp, isPollName, isQueryTool } from './query-and-poll.ts';

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
  asks: isQueryTool,
  findHelpers: findPoll,
  isHelperName: isPollName,
  join: (query, [poll = query], options) => ({
    ...query,
    readOnly: true,
    run: (args, context) => ask(args, { query, poll, context, options }),
  }),
  conversationArgument: 'conversation_id',
};

interface Asking {
  query: Tool;
  poll: Tool;
  context: ToolContext;
  options: AskOptions;
}

/** Sends a question to a space, polls until the space has finished, and returns the answer in one shape. */
async function ask(args: JsonObject, asking: Asking): Promise<ToolOutcome> {
  const { query, poll, context, options } = asking;
  const first = await callPatiently(query, args, asking);
  const isForgotten = 'error' in first && args.conversation_id !== undefined && FORGOTTEN.test(first.error.message);
  const { conversation_id: _forgotten, ...fresh } = args;
  const outcome = isForgotten ? await callPatiently(query, fresh, asking) : first;
  if ('error' in outcome) return outcome;
  const polling = { context, options, poll: (ids: JsonObject) => callPatiently(poll, ids, asking), toError };
  return followUp(outcome.result, polling);
}

/** Retries while the space is busy. Asking has no side effects there. */
async function callPatiently(tool: Tool, args: JsonObject, { context, options }: Asking): Promise<ToolOutcome> {
  for (let tries = 0; ; tries++) {
    const outcome = readFailure(await tool.run(args, context));
    const waitMs = RETRY_MS[tries];
    if (!('error' in outcome) || waitMs === undefined || !BUSY.test(outcome.error.message)) return outcome;
    context.progress('busy, retrying');
    const jitter = 0.75 + 0.5 * (options.random ?? Math.random)();
    await pause(waitMs * jitter, { clock: options.clock, signal: context.signal });
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
  return BUSY.test(message) || FORGOTTEN.test(message) ? { error: toError(message) } : outcome;
}

function toError(message: string): ToolError {
  return {
    error_type: DENIED.test(message) ? 'PermissionDenied' : 'ToolInvocationError',
    message: message.trim() || message,
  };
}
