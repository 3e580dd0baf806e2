import type { AppError } from '../errors.ts';
import type { Message } from '../schema/conversation/message.ts';
import { isText } from '../schema/conversation/message.ts';
import type { ToolCall, ToolCallRequest } from '../schema/conversation/tool-call.ts';
import type { TurnResult } from '../schema/conversation/turn.ts';
import { contextWarning } from '../schema/conversation/turn.ts';
import type { Intent } from '../schema/domain.ts';
import { isObject } from '../schema/json.ts';
import { modelLimits } from '../schema/model-limits.ts';
import { estimateTokens } from './fit-messages.ts';
import type { ResultAdditions } from './plugin.ts';
import type { RunningTurn } from './running-turn.ts';
import { askedCalls, currentText, type TurnState, turnMessages } from './turn-state.ts';

/** How a turn ends. `turnResult` adds the rest. */
export interface Ending {
  status: TurnResult['status'];
  finish_reason: TurnResult['finish_reason'];
  warning?: string;
  /** Lowers the confidence that the plugins computed. */
  confidence?: 'low';
  error?: AppError;
  question?: TurnResult['question'];
  /** The answer's text if the model sent none. */
  otherwise?: string;
}

/** Builds the result of a turn. */
export function turnResult(turn: RunningTurn, ending: Ending, additions: ResultAdditions = {}): TurnResult {
  const { state, deps, deadlines } = turn;
  const failed = unrepairedCalls(state);
  const intents = state.intents.length > 0 ? state.intents : intentsOfCalls(turn);
  const [intent] = intents;
  const { error_details: moreDetails = [], partial_results: isPartial = false, ...added } = additions;
  const details = [...failed.map(errorDetail), ...moreDetails];
  const warning = ending.warning ?? (isAnswered(ending) ? contextWarning(contextShare(turn)) : undefined);
  const isShort = failed.length > 0 || isPartial || ending.finish_reason === 'deadline';
  return {
    status: ending.status,
    finish_reason: ending.finish_reason,
    content: contentOf(turn, ending),
    ...(deps.team && { agent: deps.team.speaker }),
    iterations: state.iterations,
    tool_calls: state.calls,
    ...(state.usage && { tokens_used: state.usage }),
    ...delegationsOf(turn, ending),
    ...(intent && { intent }),
    ...(intents.length > 1 && { intents }),
    ...(state.routing && { routing: state.routing }),
    sources: [],
    suggestions: state.intents.flatMap(({ choices }) => choices ?? []).slice(0, 3),
    ...(state.checks.length > 0 && { checks: state.checks }),
    ...added,
    ...confidenceOf(turn, ending, additions),
    partial_results: isShort && ending.status !== 'error',
    ...(details.length > 0 && { error_details: details }),
    ...(state.files.length > 0 && { files: state.files }),
    ...(warning && { warning }),
    ...(ending.error && { error: turnError(ending.error) }),
    ...(ending.error?.author && { cause: ending.error.author }),
    ...(ending.question && { question: ending.question }),
    messages: turnMessages(state, deps.agent.limits.tool_output_chars),
    execution_time_ms: Math.round(deadlines.activeMs()),
  };
}

/** The confidence of the member that this call delegated to. */
export function memberConfidence({ delegation, reads_answer, result = null }: ToolCall) {
  return delegation && !reads_answer && isObject(result) ? result.confidence : undefined;
}

/** An answer is at most as sure as those of the members that worked for it. A sure member makes no answer sure. */
function confidenceOf({ state }: RunningTurn, ending: Ending, { confidence: own }: ResultAdditions) {
  const isEnded = ending.status === 'completed' || ending.status === 'max_iterations_reached';
  const said = [ending.confidence ?? own, ...(isEnded ? state.calls.map(memberConfidence) : [])];
  const confidence = (['low', 'medium'] as const).find((rank) => said.includes(rank)) ?? own;
  return confidence && { confidence };
}

/** The turns of members, and the calls of theirs that need an answer now. */
function delegationsOf({ state }: RunningTurn, { status }: Ending): Pick<TurnResult, 'delegations' | 'asked'> {
  const delegations = state.calls.flatMap(({ delegation }) => delegation ?? []);
  const asked =
    status !== 'waiting'
      ? []
      : askedCalls(state).flatMap((call_id) => {
          const member = state.members.get(call_id);
          const wait = state.waits.get(call_id);
          return member
            ? [{ call_id, ...member, ...(wait?.kind === 'approval' && { arguments: wait.sent_arguments }) }]
            : [];
        });
  return { ...(delegations.length > 0 && { delegations }), ...(asked.length > 0 && { asked }) };
}

function isAnswered({ status }: Ending): boolean {
  return status === 'completed' || status === 'waiting';
}

/**
 * The share of the model's limits that the conversation uses with this turn: messages or tokens, whichever is higher.
 */
function contextShare({ state, deps }: RunningTurn): number {
  const { history_messages, context_tokens } = modelLimits(deps.agent);
  const messages = [...deps.history, ...state.messages];
  return Math.max(messages.filter(isText).length / history_messages, estimateTokens(messages) / context_tokens);
}

function contentOf({ state }: RunningTurn, ending: Ending): string {
  const text = currentText(state);
  const mayBeEmpty = ending.status === 'cancelled' || ending.status === 'waiting';
  if (text.trim() !== '' || mayBeEmpty) return text;
  return ending.error?.message ?? ending.otherwise ?? 'Done.';
}

function turnError(error: AppError): NonNullable<TurnResult['error']> {
  return { code: error.code, error_type: error.errorType, message: error.message };
}

/**
 * Failed calls that no later call repaired. A call is repaired by a completed call of the same tool in a later reply,
 * because by then the model had read the error. Each completed call repairs only one. A call with an unknown outcome
 * cannot be repaired by running it again.
 */
function unrepairedCalls({ calls, messages }: TurnState): ToolCall[] {
  const replies = new Map(messages.flatMap((message, index) => callsOf(message).map(({ id }) => [id, index])));
  const replyOf = ({ id }: ToolCall) => replies.get(id) ?? 0;
  const good = calls.filter(({ state }) => state === 'completed');
  return calls.filter((call) => {
    if (call.error === undefined || call.state === 'unknown') return call.error !== undefined;
    const repair = good.findIndex((other) => other.name === call.name && replyOf(other) > replyOf(call));
    if (repair >= 0) good.splice(repair, 1);
    return repair < 0;
  });
}

function callsOf(message: Message): readonly ToolCallRequest[] {
  return message.role === 'assistant' ? (message.tool_calls ?? []) : [];
}

function errorDetail(call: ToolCall): NonNullable<TurnResult['error_details']>[number] {
  const reason = call.error?.message ?? 'no result';
  return call.domain ? { domain: call.domain, reason } : { tool: call.name, reason };
}

/** Derives intents from the called tools, for models that do not report intents. */
function intentsOfCalls({ state, deps }: RunningTurn): Intent[] {
  const names = new Map(Object.entries(deps.agent.intents).map(([name, intent]) => [intent.tool, name]));
  return state.calls.flatMap((call) => {
    const name = names.get(call.name);
    return name ? [{ name, parameters: call.arguments }] : [];
  });
}
