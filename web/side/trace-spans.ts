import type { Trace, TraceCall, TraceStep } from '../../src/schema/conversation/trace.ts';
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
  step?: TraceStep;
  call?: TraceCall;
}

/** Model steps, tool calls, waits and files in the order in which they began. */
export function readSpans(trace: Trace): Span[] {
  const from = Date.parse(trace.started_at);
  const place = (started: string | undefined, ended: string | undefined, durationMs?: number) => {
    const startMs = started === undefined ? 0 : Date.parse(started) - from;
    const length = durationMs ?? (ended === undefined ? undefined : Date.parse(ended) - from - startMs);
    return { startMs, ...(length !== undefined && { durationMs: length }) };
  };
  const steps = trace.steps.map(
    (step, index): Span => ({
      id: `step.${index}`,
      kind: 'model',
      label: PANEL_STRINGS.trace.step(step.iteration),
      ...place(step.started_at, step.ended_at),
      isFailed: step.error !== undefined || (step.ended_at === undefined && trace.ended_at !== undefined),
      step,
    }),
  );
  const calls = trace.calls.map(
    (call): Span => ({
      id: `call.${call.call_id}`,
      kind: 'tool',
      label: call.name,
      ...place(call.started_at, call.ended_at, call.duration_ms),
      isFailed: ['failed', 'timeout', 'unknown'].includes(call.state),
      call,
    }),
  );
  const waits = trace.waits.map(
    (wait, index): Span => ({
      id: `wait.${index}`,
      kind: 'wait',
      label: PANEL_STRINGS.trace[wait.reason],
      ...place(wait.started_at, wait.ended_at),
      isFailed: false,
    }),
  );
  const files = trace.files.map(
    (file, index): Span => ({
      id: `file.${index}`,
      kind: 'file',
      label: file.filename,
      ...place(file.at, file.at),
      isFailed: file.verdict === 'refused',
    }),
  );
  return [...steps, ...calls, ...waits, ...files].sort((a, b) => a.startMs - b.startMs);
}
