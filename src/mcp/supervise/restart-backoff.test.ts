import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../clock.ts';
import { createRestartBackoff } from './restart-backoff.ts';

function buildBackoff(parts: { starts?: number; random?: number } = {}) {
  const clock = createFakeClock();
  const options = { firstWaitMs: 1_000, longestWaitMs: 60_000, starts: parts.starts ?? 100, startsWindowMs: 600_000 };
  return { clock, backoff: createRestartBackoff({ ...options, clock, random: () => parts.random ?? 1 }) };
}

describe('createRestartBackoff', () => {
  it('is open at first and after a success', () => {
    const { backoff } = buildBackoff();
    const first = backoff.waitMs();
    backoff.noteFailure();
    backoff.noteSuccess();
    expect([first, backoff.waitMs()]).toEqual([0, 0]);
  });

  it('doubles the wait with each failure up to the ceiling', () => {
    const { backoff } = buildBackoff();
    const waits = Array.from({ length: 9 }, () => {
      backoff.noteFailure();
      return backoff.waitMs();
    });
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  });

  it('opens when the wait is over', async () => {
    const { backoff, clock } = buildBackoff({ random: 0 });
    backoff.noteFailure();
    const before = backoff.waitMs();
    await clock.advance(750);
    expect([before, backoff.waitMs()]).toEqual([750, 0]);
  });

  it('never allows more starts in any window than the budget, whatever succeeds or fails', async () => {
    const step = fc.record({ waitMs: fc.nat(200_000), succeeds: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { backoff, clock } = buildBackoff({ starts: 5 });
        const startedAt: number[] = [];
        for (const { waitMs, succeeds } of steps) {
          await clock.advance(waitMs);
          if (backoff.waitMs() > 0) continue;
          backoff.noteStart();
          startedAt.push(clock.now());
          if (succeeds) backoff.noteSuccess();
          else backoff.noteFailure();
        }
        const inWindow = startedAt.map((at) => startedAt.filter((other) => other > at - 600_000 && other <= at).length);
        expect(Math.max(0, ...inWindow)).toBeLessThanOrEqual(5);
      }),
      { numRuns: 30 },
    );
  });
});
