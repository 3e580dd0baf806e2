import { describe, expect, it } from 'vitest';
import type { Trace } from '../../src/schema/conversation/trace.ts';
import { readSpans } from './trace-spans.ts';

const at = (ms: number) => new Date(Date.UTC(2026, 0, 5, 9) + ms).toISOString();
const trace: Trace = {
  turn_id: '01K9',
  status: 'completed',
  started_at: at(0),
  ended_at: at(1_000),
  attempts: 1,
  steps: [
    { iteration: 1, started_at: at(0), ended_at: at(200) },
    { iteration: 2, started_at: at(700) },
  ],
  calls: [{ call_id: 'a', name: 'find', step: 1, state: 'failed', started_at: at(210), duration_ms: 300 }],
  files: [],
  waits: [{ reason: 'waiting', started_at: at(520), ended_at: at(690) }],
  total_ms: 1_000,
  active_ms: 830,
};

describe('readSpans', () => {
  it('places steps, calls and waits by their times, first ones first', () => {
    const spans = readSpans(trace).map(({ id, startMs, durationMs, isFailed }) => [id, startMs, durationMs, isFailed]);
    expect(spans).toEqual([
      ['step.0', 0, 200, false],
      ['call.a', 210, 300, true],
      ['wait.0', 520, 170, false],
      ['step.1', 700, undefined, true],
    ]);
  });
});
