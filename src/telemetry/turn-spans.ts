import { systemClock } from '../clock.ts';
import { type Event, type EventOf, stepKey } from '../schema/conversation/event.ts';
import type { ToolCall } from '../schema/conversation/tool-call.ts';
import type { TurnResult } from '../schema/conversation/turn.ts';
import { inputJson, modelName, type Operation, outputJson, redactJson, usageValues } from './attributes.ts';
import { CLIENT, INTERNAL, type Values } from './otlp.ts';
import type { Pipeline } from './pipeline.ts';
import type { TurnWatch, WatchedTurn } from './telemetry.ts';
import { rootSpanId, spanIdOf, type TraceContext, traceIdOf, writeTraceparent } from './trace-context.ts';

interface Watched {
  pipeline: Pipeline;
  turn: WatchedTurn;
  traceId: string;
  /** Wall-clock time at zero of the monotonic clock, so that a clock change during the turn does not distort spans. */
  zeroMs: number;
  /** The parent span; absent if the turn begins its trace. */
  parentSpanId: string | undefined;
  /** True if spans are sent. Metrics are always recorded. */
  isSampled: boolean;
  root: Open;
  noticesMs: number[];
  step: Open | undefined;
  calls: Map<string, Open>;
}

/** A started span. */
interface Open {
  spanId: string;
  /** From the monotonic clock. */
  startedAt: number;
  iteration?: number;
}

/** Turns the events of an attempt into spans: the turn, with each model call and tool call below it. */
export function watchTurn(pipeline: Pipeline, turn: WatchedTurn, parent: TraceContext | undefined): TurnWatch {
  const ownTraceId = traceIdOf(turn.turnId);
  const traceId = parent?.traceId ?? ownTraceId;
  const firstAttempt = turn.attempt === 1 ? undefined : rootSpanId(ownTraceId, 1);
  const startedAt = systemClock.now();
  const root = { spanId: rootSpanId(ownTraceId, turn.attempt), startedAt };
  const isSampled = pipeline.sample(traceId, parent?.isSampled);
  const watched: Watched = {
    ...{ pipeline, turn, traceId, root, isSampled, zeroMs: systemClock.date().getTime() - startedAt },
    // The caller's span takes precedence: a later attempt has its own caller.
    parentSpanId: parent?.spanId ?? firstAttempt,
    ...{ noticesMs: [], step: undefined, calls: new Map() },
  };
  return {
    take: (event) => takeEvent(watched, event),
    traceparent: (key) => writeTraceparent({ traceId, spanId: spanIdOf(root.spanId, key), isSampled }),
  };
}

function takeEvent(watched: Watched, event: Event): void {
  switch (event.type) {
    case 'step-start':
      if (event.carried) return;
      watched.step = { ...begin(watched, stepKey(event.iteration)), iteration: event.iteration };
      return;
    case 'step-end':
      endStep(watched, event);
      return;
    case 'tool-call-run':
      // A call that asked a question continues in the same span.
      if (!watched.calls.has(event.call_id)) watched.calls.set(event.call_id, begin(watched, event.call_id));
      return;
    case 'tool-call-end':
      endCall(watched, event.call);
      return;
    case 'notice':
      watched.noticesMs.push(watched.zeroMs + systemClock.now());
      return;
    case 'turn-wait':
      if (!event.asking) endTurn(watched, event.result);
      return;
    case 'turn-end':
      endTurn(watched, event.result);
      return;
  }
}

function begin({ root }: Watched, key: string): Open {
  return { spanId: spanIdOf(root.spanId, key), startedAt: systemClock.now() };
}

function endStep(watched: Watched, { message, tokens_used, response, error }: EventOf<'step-end'>): void {
  const { step, turn, pipeline } = watched;
  watched.step = undefined;
  if (!step) return;
  const { agent } = turn;
  const isBroken = error !== undefined;
  const reason = isBroken ? 'error' : message?.tool_calls ? 'tool_calls' : 'stop';
  const isCaptured = message && agent.observability.capture_content;
  const own: Values = {
    'gen_ai.request.temperature': agent.model.temperature,
    'gen_ai.request.max_tokens': agent.model.max_tokens,
    'holodeck.iteration': step.iteration,
    ...usageValues(tokens_used),
    'gen_ai.response.finish_reasons': [reason],
    'error.type': error,
    'gen_ai.response.model': response?.model,
    'gen_ai.response.id': response?.id,
    'gen_ai.output.messages': isCaptured ? outputJson(message.content, message.tool_calls ?? [], reason) : undefined,
  };
  const ms = end(watched, step, { name: `chat ${modelName(agent)}`, operation: 'chat', isBroken, own });
  pipeline.meters.recordDuration('chat', agent, { ms, errorType: error });
  pipeline.meters.recordTokens(agent, tokens_used);
}

/** A call that never ran, such as one with invalid arguments, becomes a span without length. */
function endCall(watched: Watched, call: ToolCall): void {
  const { agent } = watched.turn;
  const open = watched.calls.get(call.id) ?? begin(watched, call.id);
  watched.calls.delete(call.id);
  const isCaptured = agent.observability.capture_content;
  const own: Values = {
    'gen_ai.tool.name': call.name,
    'gen_ai.tool.call.id': call.id,
    'gen_ai.tool.type': 'function',
    'holodeck.tool.state': call.state,
    'error.type': call.error?.error_type,
    'gen_ai.tool.call.arguments': isCaptured ? redactJson(call.arguments) : undefined,
    'gen_ai.tool.call.result': isCaptured ? redactJson(call.result ?? call.error?.message ?? null) : undefined,
  };
  const isBroken = call.error !== undefined;
  const ms = end(watched, open, { name: `execute_tool ${call.name}`, operation: 'execute_tool', isBroken, own });
  watched.pipeline.meters.recordDuration('execute_tool', agent, { ms, errorType: call.error?.error_type });
}

function endTurn(watched: Watched, result: TurnResult): void {
  const { agent, conversationId, turnId, attempt } = watched.turn;
  const isCaptured = agent.observability.capture_content;
  const asked = result.messages.find((message) => message.role === 'user')?.content ?? '';
  const own: Values = {
    'gen_ai.conversation.id': conversationId,
    'session.id': conversationId,
    'holodeck.turn.id': turnId,
    'holodeck.turn.attempt': attempt,
    ...usageValues(result.tokens_used),
    'holodeck.turn.status': result.status,
    'error.type': result.error?.code,
    'gen_ai.input.messages': isCaptured ? inputJson(asked) : undefined,
    'gen_ai.output.messages': isCaptured ? outputJson(result.content, [], result.finish_reason) : undefined,
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

/** Emits the span and returns its duration. */
function end(watched: Watched, { spanId, startedAt }: Open, { operation, name, isBroken, own }: Ending): number {
  const { traceId, zeroMs, pipeline, root, turn } = watched;
  const endedAt = systemClock.now();
  if (!watched.isSampled) return endedAt - startedAt;
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

/** Steps and calls belong to their turn; the turn belongs to its caller's span or to its first attempt. */
function parentOf({ root, parentSpanId }: Watched, spanId: string): string | undefined {
  return spanId === root.spanId ? parentSpanId : root.spanId;
}
