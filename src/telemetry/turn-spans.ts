import {
  type Attributes,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { Event, EventOf } from '../schema/event.ts';
import type { ToolCall } from '../schema/tool-call.ts';
import type { TurnResult } from '../schema/turn.ts';
import { modelName, operationAttributes, usageAttributes } from './attributes.ts';
import type { Meters } from './meters.ts';
import { redactJson, redactText } from './redact.ts';
import type { WatchedTurn } from './telemetry.ts';
import { rootSpanId, type TraceIds, traceIdOf } from './trace-ids.ts';

export interface SpanDeps {
  tracer: Tracer;
  ids: TraceIds;
  meters: Meters;
}

interface Watched extends SpanDeps {
  turn: WatchedTurn;
  root: Span;
  startedAt: number;
  step: Open | undefined;
  calls: Map<string, Open>;
}

interface Open {
  span: Span;
  startedAt: number;
}

/** Turns the events of one attempt into spans: the turn, below it each model call and each tool call. */
export function watchTurn(deps: SpanDeps, turn: WatchedTurn): (event: Event) => void {
  const watched: Watched = {
    ...deps,
    turn,
    root: startRoot(deps, turn),
    startedAt: performance.now(),
    step: undefined,
    calls: new Map(),
  };
  return (event) => {
    switch (event.type) {
      case 'step-start':
        watched.step = startStep(watched, event);
        return;
      case 'step-end':
        endStep(watched, event);
        return;
      case 'tool-call-run':
        // A call that asked a question runs on in the same span.
        if (!watched.calls.has(event.call_id)) watched.calls.set(event.call_id, startCall(watched, event));
        return;
      case 'tool-call-end':
        endCall(watched, event.call);
        return;
      case 'notice':
        watched.root.addEvent('notice');
        return;
      case 'turn-wait':
      case 'turn-end':
        endTurn(watched, event.result);
        return;
    }
  };
}

function startRoot({ tracer, ids }: SpanDeps, { agent, turnId, conversationId, attempt }: WatchedTurn): Span {
  const traceId = traceIdOf(turnId);
  const first = { traceId, spanId: rootSpanId(traceId, 1), traceFlags: 1, isRemote: true };
  const context = attempt === 1 ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, first);
  ids.setNext(traceId, rootSpanId(traceId, attempt));
  const attributes: Attributes = {
    ...operationAttributes('invoke_agent', agent),
    'gen_ai.conversation.id': conversationId,
    'session.id': conversationId,
    'holodeck.turn.id': turnId,
    'holodeck.turn.attempt': attempt,
  };
  return tracer.startSpan(`invoke_agent ${agent.name}`, { kind: SpanKind.INTERNAL, attributes }, context);
}

function startChild({ tracer, root }: Watched, name: string, kind: SpanKind, attributes: Attributes): Open {
  const span = tracer.startSpan(name, { kind, attributes }, trace.setSpan(ROOT_CONTEXT, root));
  return { span, startedAt: performance.now() };
}

function startStep(watched: Watched, { iteration }: EventOf<'step-start'>): Open {
  const { agent } = watched.turn;
  return startChild(watched, `chat ${modelName(agent)}`, SpanKind.CLIENT, {
    ...operationAttributes('chat', agent),
    'gen_ai.request.temperature': agent.model.temperature,
    'gen_ai.request.max_tokens': agent.model.max_tokens,
    'holodeck.iteration': iteration,
  });
}

function endStep(watched: Watched, { message, tokens_used }: EventOf<'step-end'>): void {
  const { step, turn, meters } = watched;
  watched.step = undefined;
  if (!step) return;
  const isBroken = !message || message.metadata.incomplete === true;
  step.span.setAttributes(usageAttributes(tokens_used));
  step.span.setAttribute('gen_ai.response.finish_reasons', [
    isBroken ? 'error' : message.tool_calls ? 'tool_calls' : 'stop',
  ]);
  if (isBroken) step.span.setStatus({ code: SpanStatusCode.ERROR });
  if (message && turn.agent.observability.capture_content) {
    step.span.setAttribute('gen_ai.output.messages', redactText(message.content));
  }
  step.span.end();
  meters.recordDuration('chat', turn.agent, performance.now() - step.startedAt, isBroken ? 'ModelError' : undefined);
  meters.recordTokens(turn.agent, tokens_used);
}

function startCall(watched: Watched, call: { tool: string; call_id: string }): Open {
  return startChild(watched, `execute_tool ${call.tool}`, SpanKind.INTERNAL, {
    ...operationAttributes('execute_tool', watched.turn.agent),
    'gen_ai.tool.name': call.tool,
    'gen_ai.tool.call.id': call.call_id,
    'gen_ai.tool.type': 'function',
  });
}

/** A call that never ran, such as one with invalid arguments, is a span without length. */
function endCall(watched: Watched, call: ToolCall): void {
  const { turn, meters } = watched;
  const { span, startedAt } = watched.calls.get(call.id) ?? startCall(watched, { tool: call.name, call_id: call.id });
  watched.calls.delete(call.id);
  span.setAttribute('holodeck.tool.state', call.state);
  if (call.error) span.setAttribute('error.type', call.error.error_type).setStatus({ code: SpanStatusCode.ERROR });
  if (turn.agent.observability.capture_content) {
    span.setAttribute('gen_ai.tool.call.arguments', redactJson(call.arguments));
    span.setAttribute('gen_ai.tool.call.result', redactJson(call.result ?? call.error?.message ?? null));
  }
  span.end();
  meters.recordDuration('execute_tool', turn.agent, performance.now() - startedAt, call.error?.error_type);
}

function endTurn({ root, turn, meters, startedAt }: Watched, result: TurnResult): void {
  root.setAttributes({ ...usageAttributes(result.tokens_used), 'holodeck.turn.status': result.status });
  if (result.error) root.setAttribute('error.type', result.error.code).setStatus({ code: SpanStatusCode.ERROR });
  if (turn.agent.observability.capture_content) {
    const asked = result.messages.find((message) => message.role === 'user')?.content ?? '';
    root.setAttributes({
      'gen_ai.input.messages': redactText(asked),
      'gen_ai.output.messages': redactText(result.content),
    });
  }
  root.end();
  meters.recordDuration('invoke_agent', turn.agent, performance.now() - startedAt, result.error?.code);
}
