import { keepCalls } from '../../models/kept-metadata.ts';
import type { EventBody } from '../../schema/conversation/event.ts';
import type { ToolCall, ToolCallRequest, ToolError } from '../../schema/conversation/tool-call.ts';
import type { JsonObject } from '../../schema/json.ts';
import { parseArguments } from '../../tools/prepare-call.ts';
import type { RunningTurn } from '../running-turn.ts';

/** A call as the model wrote it. */
export interface AskedCall {
  /** The id under which viewers already have its arguments. */
  callId?: string;
  name: string;
  arguments: string;
}

export interface StartedCalls {
  requests: ToolCallRequest[];
  /** The start of each call in order. A call that cannot run is followed by its end. */
  events: EventBody[];
  /** The reply's metadata without the state of calls that are left out. */
  metadata: JsonObject;
}

interface Reply {
  asked: readonly AskedCall[];
  metadata: JsonObject;
  messageId: string;
  timestamp: string;
}

/** A reply with far too many calls records this many times the limit; the model reads how many it sent. */
const RECORDED_SHARE = 4;

/**
 * Starts the calls of a reply; nothing is written yet. Calls beyond `limits.calls_per_reply` fail without running.
 * Calls beyond four times the limit are not recorded, because writing many thousands would block the server.
 */
export function startCalls(turn: RunningTurn, { asked, metadata, messageId, timestamp }: Reply): StartedCalls {
  const { calls_per_reply: limit } = turn.deps.agent.limits;
  const recorded = asked.slice(0, limit * RECORDED_SHARE);
  const started = recorded.map((call, index) => {
    const refusal = index < limit ? undefined : tooMany({ asked: asked.length, limit, isFirst: index === limit });
    return startCall(turn, call, { messageId, timestamp, refusal });
  });
  return {
    requests: started.map(({ request }) => request),
    events: started.flatMap(({ events }) => events),
    metadata: recorded.length === asked.length ? metadata : keepCalls(metadata, (index) => index < recorded.length),
  };
}

function tooMany({ asked, limit, isFirst }: { asked: number; limit: number; isFirst: boolean }): ToolError {
  const reason = `This call was not run: a reply may have at most ${limit} calls.`;
  const whole = ` The reply had ${asked}; call ${limit + 1} and all later ones were not run. Request those that are still needed in another reply.`;
  return { error_type: 'ToolInvocationError', message: isFirst ? reason + whole : reason };
}

interface StartOptions {
  messageId: string;
  timestamp: string;
  refusal: ToolError | undefined;
}

/**
 * Gives the call an id of ours: it is the idempotency key, and some models count from zero in every reply. A call that
 * cannot run ends in the same write that starts it, so that no later attempt can run it.
 */
function startCall(
  turn: RunningTurn,
  { callId, name, arguments: text }: AskedCall,
  { messageId, timestamp, refusal }: StartOptions,
): { request: ToolCallRequest; events: EventBody[] } {
  const parsed = parseArguments(text);
  const error: ToolError | undefined =
    refusal ?? ('problem' in parsed ? { error_type: 'ValidationError', message: parsed.problem } : undefined);
  const request: ToolCallRequest = {
    id: callId ?? newCallId(turn),
    name: name || 'unnamed',
    arguments: 'problem' in parsed ? {} : parsed.arguments,
  };
  const domain = turn.deps.tools.get(name)?.tool.domain;
  const call: ToolCall = { ...request, ...(domain && { domain }), state: 'pending' };
  const start: EventBody = { type: 'tool-call-start', call, message_id: messageId };
  if (!error) return { request, events: [start] };
  const failed: ToolCall = { ...call, state: 'failed', error, completed_at: timestamp };
  return { request, events: [start, { type: 'tool-call-end', call: failed, message_id: turn.deps.ids.ulid() }] };
}

export function newCallId({ deps }: RunningTurn): string {
  return `call_${deps.ids.ulid()}`;
}
