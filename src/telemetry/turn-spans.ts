import type { Event, EventOf } from '../schema/event.ts';
import type { ToolCall } from '../schema/tool-call.ts';
import type { TurnResult } from '../schema/turn.ts';
import { modelName, type Operation, usageValues } from './attributes.ts';
import { CLIENT, INTERNAL, type Values } from './otlp.ts';
import type { Pipeline } from './pipeline.ts';
import { redactJson, redactText } from './redact.ts';
import type { WatchedTurn } from './telemetry.ts';
import { newSpanId, rootSpanId, traceIdOf } from './trace-ids.ts';

interface Watched {
  pipeline: Pipeline;
  turn: WatchedTurn;
  traceId: string;
  /** The wall clock's time of the monotonic clock's zero: a clock that is set does not bend a turn. */
  zeroMs: number;
  root: Open;
  noticesMs: number[];
  step: Open | undefined;
  calls: Map<string, Open>;
}

/** A span that has begun. */
interface Open {
  spanId: string;
  /** Monotonic. */
  startedAt: number;
  iteration?: number;
}

/** Turns the events of one attempt into spans: the turn, below it each model call and each tool call. */
export function watchTurn(pipeline: Pipeline, turn: WatchedTurn): (event: Event) => void {
  const traceId = traceIdOf(turn.turnId);
  const startedAt = performance.now();
  const watched: Watched = {
    ...{ pipeline, turn, traceId, zeroMs: Date.now() - startedAt },
    root: { spanId: rootSpanId(traceId, turn.attempt), startedAt },
    ...{ noticesMs: [], step: undefined, calls: new Map() },
  };
  return (event) => takeEvent(watched, event);
}

function takeEvent(watched: Watched, event: Event): void {
  switch (event.type) {
    case 'step-start':
      watched.step = { ...begin(), iteration: event.iteration };
      return;
    case 'step-end':
      endStep(watched, event);
      return;
    case 'tool-call-run':
      // A call that asked a question runs on in the same span.
      if (!watched.calls.has(event.call_id)) watched.calls.set(event.call_id, begin());
      return;
    case 'tool-call-end':
      endCall(watched, event.call);
      return;
    case 'notice':
      watched.noticesMs.push(watched.zeroMs + performance.now());
      return;
    case 'turn-wait':
      if (!event.asking) endTurn(watched, event.result);
      return;
    case 'turn-end':
      endTurn(watched, event.result);
      return;
  }
}

function begin(): Open {
  return { spanId: newSpanId(), startedAt: performance.now() };
}

function endStep(watched: Watched, { message, tokens_used }: EventOf<'step-end'>): void {
  const { step, turn, pipeline } = watched;
  watched.step = undefined;
  if (!step) return;
  const { agent } = turn;
  const isBroken = !message || message.metadata.incomplete === true;
  const reason = isBroken ? 'error' : message.tool_calls ? 'tool_calls' : 'stop';
  const isTold = message && agent.observability.capture_content;
  const own: Values = {
    'gen_ai.request.temperature': agent.model.temperature,
    'gen_ai.request.max_tokens': agent.model.max_tokens,
    'holodeck.iteration': step.iteration,
    ...usageValues(tokens_used),
    'gen_ai.response.finish_reasons': [reason],
    'gen_ai.output.messages': isTold ? redactText(message.content) : undefined,
  };
  const ms = end(watched, step, { name: `chat ${modelName(agent)}`, operation: 'chat', isBroken, own });
  pipeline.meters.recordDuration('chat', agent, { ms, errorType: isBroken ? 'ModelError' : undefined });
  pipeline.meters.recordTokens(agent, tokens_used);
}

/** A call that never ran, such as one with invalid arguments, is a span without length. */
function endCall(watched: Watched, call: ToolCall): void {
  const { agent } = watched.turn;
  const open = watched.calls.get(call.id) ?? begin();
  watched.calls.delete(call.id);
  const isTold = agent.observability.capture_content;
  const own: Values = {
    'gen_ai.tool.name': call.name,
    'gen_ai.tool.call.id': call.id,
    'gen_ai.tool.type': 'function',
    'holodeck.tool.state': call.state,
    'error.type': call.error?.error_type,
    'gen_ai.tool.call.arguments': isTold ? redactJson(call.arguments) : undefined,
    'gen_ai.tool.call.result': isTold ? redactJson(call.result ?? call.error?.message ?? null) : undefined,
  };
  const isBroken = call.error !== undefined;
  const ms = end(watched, open, { name: `execute_tool ${call.name}`, operation: 'execute_tool', isBroken, own });
  watched.pipeline.meters.recordDuration('execute_tool', agent, { ms, errorType: call.error?.error_type });
}

function endTurn(watched: Watched, result: TurnResult): void {
  const { agent, conversationId, turnId, attempt } = watched.turn;
  const isTold = agent.observability.capture_content;
  const asked = result.messages.find((message) => message.role === 'user')?.content ?? '';
  const own: Values = {
    'gen_ai.conversation.id': conversationId,
    'session.id': conversationId,
    'holodeck.turn.id': turnId,
    'holodeck.turn.attempt': attempt,
    ...usageValues(result.tokens_used),
    'holodeck.turn.status': result.status,
    'error.type': result.error?.code,
    'gen_ai.input.messages': isTold ? redactText(asked) : undefined,
    'gen_ai.output.messages': isTold ? redactText(result.content) : undefined,
  };
  const isBroken = result.error !== undefined;
  const ms = end(watched, watched.root, {
    name: `invoke_agent ${agent.name}`,
    operation: 'invoke_agent',
    isBroken,
    own,
  });
  watched.pipeline.meters.recordDuration('invoke_agent', agent, { ms, errorType: result.error?.code });
}

interface Ending {
  operation: Operation;
  name: string;
  isBroken: boolean;
  own: Values;
}

/** Hands the span over and returns how long it took. */
function end(watched: Watched, { spanId, startedAt }: Open, { operation, name, isBroken, own }: Ending): number {
  const { traceId, zeroMs, pipeline, root, turn } = watched;
  const endedAt = performance.now();
  pipeline.take({
    ...{ traceId, spanId, name, own, isBroken },
    parentSpanId: parentOf(watched, spanId),
    kind: operation === 'chat' ? CLIENT : INTERNAL,
    startMs: zeroMs + startedAt,
    endMs: zeroMs + endedAt,
    shared: pipeline.sharedJson(operation, turn.agent),
    noticesMs: spanId === root.spanId ? watched.noticesMs : [],
  });
  return endedAt - startedAt;
}

/** Steps and calls stand below their turn, a later attempt below the first one. */
function parentOf({ root, turn, traceId }: Watched, spanId: string): string | undefined {
  if (spanId !== root.spanId) return root.spanId;
  return turn.attempt === 1 ? undefined : rootSpanId(traceId, 1);
}
