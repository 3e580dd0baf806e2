import { describe, expect, it } from 'vitest';
import { ALICE, BOB } from '../../test/build.ts';
import { createFakeClock } from '../clock.ts';
import { createRateLimit } from './rate-limit.ts';

describe('createRateLimit', () => {
  it('allows each user a minute of turns at once, then one per refill interval', async () => {
    const clock = createFakeClock();
    const { take, check } = createRateLimit({ perMinute: 2, clock });
    for (const _ of [1, 2, 3]) check(ALICE);
    take(ALICE);
    take(ALICE);
    expect(() => take(ALICE)).toThrow(/2 turns/);
    expect(() => check(ALICE)).toThrow(/2 turns/);
    take(BOB);
    await clock.advance(29_000);
    expect(() => take(ALICE)).toThrow();
    await clock.advance(1_000);
    take(ALICE);
    expect(() => take(ALICE)).toThrow();
  });
});
