import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemIds } from '../../ids.ts';
import type { Link } from './link.ts';
import { holdLease, type RunnerLease } from './runner-lease.ts';

const LEASE_MS = 8_000;
let nowMs = 0;
let lease: RunnerLease;
/** The rows of `runners` as the lease sees them. */
let isKnown = true;
let isAway = false;

/** Answers the statements of a lease only. */
const link = {
  all: async () => [],
  one: async () => {
    if (isAway) throw new Error('no connection');
    return isKnown ? { done: 1 } : undefined;
  },
} as unknown as Link;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  [nowMs, isKnown, isAway] = [0, true, false];
  const url = 'postgres://127.0.0.1/none';
  lease = await holdLease({ link, url, ids: systemIds, version: '1', leaseMs: LEASE_MS, elapsed: () => nowMs });
});
afterEach(async () => {
  await lease.close();
  vi.useRealTimers();
});

/** Lets the monotonic clock and the timers go on. */
async function pass(ms: number): Promise<void> {
  nowMs += ms;
  await vi.advanceTimersByTimeAsync(ms);
}

describe('a lease', () => {
  it('is fresh while renewals succeed', async () => {
    for (let step = 0; step < 20; step++) {
      await pass(2_000);
      expect([lease.isFresh(), lease.isHeld()]).toEqual([true, true]);
    }
  });

  it('stops being fresh before it is over when the database is away, and is fresh again afterwards', async () => {
    isAway = true;
    await pass(6_399);
    expect(lease.isFresh()).toBe(true);
    nowMs += 1;
    expect([lease.isFresh(), lease.isHeld()]).toEqual([false, true]);
    nowMs += 1_600;
    expect([lease.isFresh(), lease.isHeld()]).toEqual([false, false]);
    expect(lease.failure()).toBeDefined();
    isAway = false;
    await pass(250);
    expect([lease.isFresh(), lease.failure()]).toEqual([true, undefined]);
  });

  it('is not fresh after the process was stopped, before any timer ran', () => {
    nowMs += 3 * LEASE_MS;
    expect([lease.isFresh(), lease.isHeld()]).toEqual([false, false]);
  });

  it('that another server declared dead is replaced by a new id, never revived', async () => {
    const { id } = lease;
    const lost = vi.fn();
    const stop = lease.onLost(lost);
    isKnown = false;
    await pass(2_000);
    expect(lost).toHaveBeenCalledOnce();
    expect(lease.id).not.toBe(id);
    expect(lease.isFresh()).toBe(true);
    stop();
    await pass(2_000);
    expect(lost).toHaveBeenCalledOnce();
  });
});
