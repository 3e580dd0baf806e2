import { PANEL_STRINGS } from '../panel-strings.ts';
import { cleanName } from '../parts/clean-name.ts';
import { formatDuration } from '../parts/format-time.ts';
import type { Span } from './trace-spans.ts';

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
export function Waterfall({ spans, totalMs, chosen, onChoose }: WaterfallProps) {
  return (
    <ol className="waterfall" aria-label={PANEL_STRINGS.trace.waterfall}>
      {spans.map((span) => (
        <li key={span.id}>
          <button
            type="button"
            className={`span ${span.kind} ${span.isFailed ? 'failed' : ''}`}
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
