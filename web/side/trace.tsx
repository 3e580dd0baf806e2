import { useState } from 'react';
import type { Trace } from '../../src/schema/conversation/trace.ts';
import { PANEL_STRINGS } from '../panel-strings.ts';
import { cleanName, formatCost, formatDuration } from '../parts/format.ts';
import { LoadProblem, useLoaded } from '../parts/loaded.tsx';
import { usePage } from '../state/context.ts';
import { STRINGS } from '../strings.ts';
import { SpanDetails } from './span-details.tsx';
import { readSpans, type Span } from './trace-spans.ts';

/** Steps and calls of a turn on a line of time, with tokens, and for developers the prompts. */
export default function TracePanel({ at }: { at: string | undefined }) {
  const conversation = usePage((state) => state.conversation);
  const turnId = at ?? conversation.order.at(-1);
  const turn = turnId === undefined ? undefined : conversation.turns[turnId];
  const path = conversation.id && turnId ? `/sessions/${conversation.id}/turns/${turnId}/trace` : undefined;
  const version = turn && `${turn.status}.${turn.step}.${Object.keys(turn.calls).length}`;
  const { value: trace, problem, reload } = useLoaded<Trace>(path, version);
  const [chosen, setChosen] = useState<string>();
  if (!path) return <p className="muted">{PANEL_STRINGS.trace.empty}</p>;
  if (problem) return <LoadProblem text={problem} onRetry={reload} />;
  if (!trace) return <p className="muted">{STRINGS.side.loading}</p>;
  const spans = readSpans(trace);
  const span = spans.find(({ id }) => id === chosen);
  return (
    <div className="trace-panel">
      <dl className="facts">
        <dt>{PANEL_STRINGS.trace.total}</dt>
        <dd>{formatDuration(trace.total_ms)}</dd>
        <dt>{PANEL_STRINGS.trace.active}</dt>
        <dd>{formatDuration(trace.active_ms)}</dd>
        {trace.steps.some(({ tokens_used: used }) => used?.total_tokens) && (
          <>
            <dt>{PANEL_STRINGS.trace.tokens}</dt>
            <dd>{tokensOf(trace)}</dd>
          </>
        )}
        {trace.attempts > 1 && (
          <>
            <dt>{PANEL_STRINGS.trace.attempts}</dt>
            <dd>{trace.attempts}</dd>
          </>
        )}
      </dl>
      <Waterfall spans={spans} totalMs={trace.total_ms} chosen={chosen} onChoose={setChosen} />
      {span ? <SpanDetails span={span} /> : <p className="muted small">{PANEL_STRINGS.trace.choose}</p>}
    </div>
  );
}

function tokensOf(trace: Trace): string {
  const turns = [trace, ...(trace.members ?? [])];
  const used = turns.flatMap(({ steps }) => steps.flatMap(({ tokens_used }) => tokens_used ?? []));
  const isPriced = used.every(({ cost_usd }) => cost_usd !== undefined);
  const cost = used.reduce((total, one) => total + (one.cost_usd ?? 0), 0);
  const sum = (key: 'prompt_tokens' | 'completion_tokens') => used.reduce((total, one) => total + one[key], 0);
  const tokens = PANEL_STRINGS.trace.inAndOut(sum('prompt_tokens'), sum('completion_tokens'));
  return isPriced ? `${tokens} · ${formatCost(cost)}` : tokens;
}

interface WaterfallProps {
  spans: readonly Span[];
  totalMs: number;
  chosen: string | undefined;
  onChoose(id: string): void;
}

const WIDTH = 1000;
/** A bar of a few milliseconds in a long turn must still be seen. */
const LEAST_WIDTH = 6;

/** A row for each step and call: its name, its bar on the turn's line of time, and its duration. */
function Waterfall({ spans, totalMs, chosen, onChoose }: WaterfallProps) {
  return (
    <ol className="waterfall" aria-label={PANEL_STRINGS.trace.waterfall}>
      {spans.map((span) => (
        <li key={span.id}>
          <button
            type="button"
            className={`span ${span.kind} depth-${Math.min(span.depth, 3)} ${span.isFailed ? 'failed' : ''}`}
            aria-pressed={span.id === chosen}
            onClick={() => onChoose(span.id)}
          >
            <span className="span-label">{cleanName(span.label)}</span>
            <span className="span-time">
              {span.durationMs === undefined ? PANEL_STRINGS.trace.open : formatDuration(span.durationMs)}
            </span>
            <svg viewBox={`0 0 ${WIDTH} 8`} preserveAspectRatio="none" aria-hidden="true" focusable="false">
              <rect className="span-track" x="0" y="0" width={WIDTH} height="8" />
              <rect className="span-bar" y="0" height="8" {...barOf(span, totalMs)} />
            </svg>
          </button>
        </li>
      ))}
    </ol>
  );
}

function barOf({ startMs, durationMs }: Span, totalMs: number): { x: number; width: number } {
  const scale = WIDTH / Math.max(totalMs, 1);
  const x = Math.min(startMs * scale, WIDTH - LEAST_WIDTH);
  const width = durationMs === undefined ? WIDTH - x : Math.min(durationMs * scale, WIDTH - x);
  return { x, width: Math.max(width, LEAST_WIDTH) };
}
