import type { Trace, TraceCall, TraceMember, TraceStep, TurnTrace } from '../../src/schema/conversation/trace.ts';
import { PANEL_STRINGS } from '../panel-strings.ts';

type SpanKind = 'model' | 'tool' | 'wait' | 'file';

/** A bar of the waterfall. */
export interface Span {
  id: string;
  kind: SpanKind;
  label: string;
  startMs: number;
  /** Absent while it runs, and for a step that was cut off. */
  durationMs?: number;
  isFailed: boolean;
  /** 0 = the turn itself; a member's work is one deeper than its call. */
  depth: number;
  step?: TraceStep;
  call?: TraceCall;
}

type OwnSpan = Omit<Span, 'depth'>;

/** Model steps, tool calls, waits and files in the order in which they began; the work of a member follows its call. */
export function readSpans(trace: Trace): Span[] {
  const members = new Map(trace.members?.map((member) => [member.call_id, member]));
  const from = Date.parse(trace.started_at);
  const withMembers = (turn: TurnTrace, depth: number): Span[] =>
    spansOf(turn, from, members).flatMap((span) => {
      const member = span.call && members.get(span.call.call_id);
      return [{ ...span, depth }, ...(member ? withMembers(member, depth + 1) : [])];
    });
  return withMembers(trace, 0);
}

function spansOf(trace: TurnTrace, from: number, members: ReadonlyMap<string, TraceMember>): OwnSpan[] {
  const place = (started: string | undefined, ended: string | undefined, durationMs?: number) => {
    const startMs = started === undefined ? 0 : Date.parse(started) - from;
    const length = durationMs ?? (ended === undefined ? undefined : Date.parse(ended) - from - startMs);
    return { startMs, ...(length !== undefined && { durationMs: length }) };
  };
  const steps = trace.steps.map(
    (step, index): OwnSpan => ({
      id: `step.${trace.turn_id}.${index}`,
      kind: 'model',
      label: PANEL_STRINGS.trace.step(step.iteration),
      ...place(step.started_at, step.ended_at),
      isFailed: step.error !== undefined || (step.ended_at === undefined && trace.ended_at !== undefined),
      step,
    }),
  );
  const calls = trace.calls.map((call): OwnSpan => {
    const member = members.get(call.call_id);
    // A call that waited for its member starts again; the member's turn has the whole time.
    const time = member
      ? place(member.started_at, member.ended_at)
      : place(call.started_at, call.ended_at, call.duration_ms);
    return {
      id: `call.${call.call_id}`,
      kind: 'tool',
      label: member?.agent ?? call.name,
      ...time,
      isFailed: ['failed', 'timeout', 'unknown'].includes(call.state),
      call,
    };
  });
  const waits = trace.waits.map(
    (wait, index): OwnSpan => ({
      id: `wait.${trace.turn_id}.${index}`,
      kind: 'wait',
      label: PANEL_STRINGS.trace[wait.reason],
      ...place(wait.started_at, wait.ended_at),
      isFailed: false,
    }),
  );
  const files = trace.files.map(
    (file, index): OwnSpan => ({
      id: `file.${trace.turn_id}.${index}`,
      kind: 'file',
      label: file.filename,
      ...place(file.at, file.at),
      isFailed: file.verdict === 'refused',
    }),
  );
  return [...steps, ...calls, ...waits, ...files].sort((a, b) => a.startMs - b.startMs);
}
