import { foldEvents } from '../../agent/turn-state.ts';
import type { Event, EventOf } from '../../schema/conversation/event.ts';
import type { ToolCall } from '../../schema/conversation/tool-call.ts';
import type { TraceCall, TraceStep, TraceWait, TurnTrace } from '../../schema/conversation/trace.ts';
import type { StoredTurn } from '../../store/store.ts';
import { shownCall } from '../shown.ts';

/** Derives the steps, calls and times of a turn from its events. `now` ends a turn that still runs. */
export function traceOf(turn: StoredTurn, events: readonly Event[], now: string): TurnTrace {
  const waits = waitsOf(events);
  const last = turn.status === 'running' ? now : (events.at(-1)?.at ?? turn.created_at);
  const totalMs = between(turn.created_at, turn.ended_at ?? last);
  const waitedMs = waits.reduce((sum, wait) => sum + between(wait.started_at, wait.ended_at ?? wait.started_at), 0);
  return {
    turn_id: turn.id,
    status: turn.status,
    started_at: turn.created_at,
    ...(turn.ended_at && { ended_at: turn.ended_at }),
    attempts: turn.attempt,
    steps: stepsOf(events),
    calls: callsOf(events),
    files: events.flatMap((event) => (event.type === 'file' ? [{ ...event.file, at: event.at }] : [])),
    waits,
    total_ms: totalMs,
    active_ms: Math.max(0, totalMs - waitedMs),
  };
}

function between(start: string, end: string): number {
  return Math.max(0, Date.parse(end) - Date.parse(start));
}

/** Model calls in order. A reply that was cut off has no end; carried calls came without a model call. */
function stepsOf(events: readonly Event[]): TraceStep[] {
  const steps: TraceStep[] = [];
  for (const event of events) {
    if (event.type === 'step-start' && !event.carried) {
      steps.push({ iteration: event.iteration, started_at: event.at, ...(event.summary && { summary: true }) });
    }
    const open = steps.at(-1);
    if (event.type === 'step-end' && !event.carried && open && !open.ended_at) Object.assign(open, endOf(event));
  }
  return steps;
}

function endOf({ at, response, tokens_used, error }: EventOf<'step-end'>): Partial<TraceStep> {
  return {
    ended_at: at,
    ...(response?.model !== undefined && { model: response.model }),
    ...(tokens_used && { tokens_used }),
    ...(error !== undefined && { error }),
  };
}

/** Calls in order, each with the iteration of the reply that asked for it. */
function callsOf(events: readonly Event[]): TraceCall[] {
  const iterations = new Map<string, number>();
  let iteration = 1;
  for (const event of events) {
    if (event.type === 'step-end') iteration = event.iteration;
    if (event.type === 'tool-call-start') iterations.set(event.call.id, iteration);
  }
  return foldEvents(events).calls.map((call) => toTraceCall(shownCall(call), iterations.get(call.id) ?? iteration));
}

function toTraceCall(call: ToolCall, step: number): TraceCall {
  const { id, name, domain, state, started_at, completed_at, duration_ms, sent_arguments, error, repeats } = call;
  return {
    call_id: id,
    name,
    ...(domain !== undefined && { domain }),
    step,
    state,
    ...(started_at && { started_at }),
    ...(completed_at && { ended_at: completed_at }),
    ...(duration_ms !== undefined && { duration_ms }),
    ...(sent_arguments && { sent_arguments }),
    ...(error && { error }),
    ...(repeats && { repeats }),
  };
}

/** Times in which nothing happened: the turn waited for a person or for another process. */
function waitsOf(events: readonly Event[]): TraceWait[] {
  const waits: TraceWait[] = [];
  for (const { type, at } of events) {
    const open = waits.at(-1);
    if (type === 'turn-resume' && open && !open.ended_at) open.ended_at = at;
    if (type === 'turn-wait') waits.push({ reason: 'waiting', started_at: at });
    if (type === 'turn-interrupt') waits.push({ reason: 'interrupted', started_at: at });
  }
  return waits;
}
