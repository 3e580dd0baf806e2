import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../clock.ts';
import { createGate } from './gate.ts';

function buildGate(parts: { starts?: number; random?: number } = {}) {
  const clock = createFakeClock();
  const options = { firstWaitMs: 1_000, longestWaitMs: 60_000, starts: parts.starts ?? 100, startsWindowMs: 600_000 };
  return { clock, gate: createGate({ ...options, clock, random: () => parts.random ?? 1 }) };
}

describe('createGate', () => {
  it('is open at first and after a success', () => {
    const { gate } = buildGate();
    const first = gate.waitMs();
    gate.noteFailure();
    gate.noteSuccess();
    expect([first, gate.waitMs()]).toEqual([0, 0]);
  });

  it('doubles the wait with each failure up to the ceiling', () => {
    const { gate } = buildGate();
    const waits = Array.from({ length: 9 }, () => {
      gate.noteFailure();
      return gate.waitMs();
    });
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  });

  it('opens when the wait is over', async () => {
    const { gate, clock } = buildGate({ random: 0 });
    gate.noteFailure();
    const before = gate.waitMs();
    await clock.advance(750);
    expect([before, gate.waitMs()]).toEqual([750, 0]);
  });

  it('never allows more starts in any window than the budget, whatever succeeds or fails', async () => {
    const step = fc.record({ waitMs: fc.nat(200_000), succeeds: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { gate, clock } = buildGate({ starts: 5 });
        const startedAt: number[] = [];
        for (const { waitMs, succeeds } of steps) {
          await clock.advance(waitMs);
          if (gate.waitMs() > 0) continue;
          gate.noteStart();
          startedAt.push(clock.now());
          if (succeeds) gate.noteSuccess();
          else gate.noteFailure();
        }
        const inWindow = startedAt.map((at) => startedAt.filter((other) => other > at - 600_000 && other <= at).length);
        expect(Math.max(0, ...inWindow)).toBeLessThanOrEqual(5);
      }),
      { numRuns: 30 },
    );
  });
});
