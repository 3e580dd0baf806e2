import type { Interrupt, RunFinishedEvent } from '@ag-ui/core';
import type { CallWait, EventOf } from '../../schema/conversation/event.ts';
import type { TokenUsage } from '../../schema/conversation/token-usage.ts';
import type { TurnResult } from '../../schema/conversation/turn.ts';
import type { JsonObject } from '../../schema/json.ts';
import { sanitizeJson } from '../../tools/sanitize.ts';

type Outcome = NonNullable<RunFinishedEvent['outcome']>;

const DECISION_SCHEMA: JsonObject = {
  type: 'object',
  properties: { approved: { type: 'boolean' }, reason: { type: 'string' } },
  required: ['approved'],
};

/** A run that asks ends with an interrupt; a run that only leaves calls to the caller has succeeded. */
export function waitOutcome(
  { calls, result }: EventOf<'turn-wait'>,
  waits: ReadonlyMap<string, CallWait>,
  { isOld }: { isOld: boolean },
): Outcome {
  const interrupts = calls.flatMap((id): Interrupt[] => {
    const wait = waits.get(id);
    const member = result.asked?.find(({ call_id }) => call_id === id);
    const name = member?.tool ?? result.tool_calls.find((call) => call.id === id)?.name ?? id;
    return wait && wait.kind !== 'client' ? [toInterrupt(id, { name, agent: member?.agent }, wait)] : [];
  });
  if (interrupts.length > 0) return { type: 'interrupt', interrupts };
  return { type: 'success', ...(!isOld && { pendingToolCallIds: calls }) };
}

function toInterrupt(
  id: string,
  { name, agent }: { name: string; agent: string | undefined },
  wait: Exclude<CallWait, { kind: 'client' }>,
): Interrupt {
  if (wait.kind === 'input') {
    const schema = wait.schema ? { responseSchema: wait.schema } : {};
    return { id, reason: 'input_required', message: wait.question, toolCallId: id, ...schema };
  }
  return {
    id,
    reason: 'tool_approval',
    message: agent ? `Allow ${agent} to call ${name}?` : `Allow ${name}?`,
    toolCallId: id,
    responseSchema: DECISION_SCHEMA,
    metadata: {
      tool: name,
      ...(agent && { agent }),
      arguments: sanitizeJson(wait.sent_arguments),
      ...(wait.names && { names: wait.names }),
    },
  };
}

/** The part of the result that was not sent as events: no texts, no calls, nothing that grows with the history. */
export function slimResult(result: TurnResult, conversationId: string): Record<string, unknown> {
  const { content: _content, messages, tool_calls: _calls, tokens_used, ...rest } = result;
  const answer = messages.findLast((message) => message.role === 'assistant');
  const cost = tokens_used?.cost_usd !== undefined && { cost_usd: tokens_used.cost_usd };
  return { session_id: conversationId, ...(answer && { message_id: answer.id }), ...rest, ...cost };
}

/** The usage of a run: the turn's tokens minus those that its earlier runs have reported. */
export function usageOf(
  { tokens_used: used }: TurnResult,
  before: TokenUsage | undefined,
): Pick<RunFinishedEvent, 'usage'> {
  if (!used) return {};
  const inputTokens = used.prompt_tokens - (before?.prompt_tokens ?? 0);
  const outputTokens = used.completion_tokens - (before?.completion_tokens ?? 0);
  if (inputTokens + outputTokens <= 0) return {};
  const cached = (used.cached_tokens ?? 0) - (before?.cached_tokens ?? 0);
  const fromCache = cached > 0 && { cachedInputTokens: cached };
  return { usage: [{ inputTokens, outputTokens, totalTokens: inputTokens + outputTokens, ...fromCache }] };
}
