import { describe, expect, it } from 'vitest';
import { createFakeClock, systemClock } from './clock.ts';

describe('createFakeClock', () => {
  it('runs what falls due in order of time and lets promises settle between', async () => {
    const clock = createFakeClock();
    const seen: string[] = [];
    const note = (name: string) => seen.push(`${name}@${clock.now()}`);
    clock.after(20, () => note('late'));
    clock.after(10, () => void Promise.resolve().then(() => note('early, settled')));
    clock.after(10, () => note('early, second'));
    clock.after(31, () => note('never'));
    await clock.advance(30);
    expect(seen).toEqual(['early, settled@10', 'early, second@10', 'late@20']);
    expect([clock.now(), clock.waiting]).toEqual([30, 1]);
  });

  it('runs a callback that was set by a callback in the same move', async () => {
    const clock = createFakeClock();
    const seen: number[] = [];
    clock.after(5, () => clock.after(5, () => seen.push(clock.now())));
    await clock.advance(100);
    expect(seen).toEqual([10]);
  });

  it('forgets a cancelled callback', async () => {
    const clock = createFakeClock();
    const seen: string[] = [];
    const cancel = clock.after(5, () => seen.push('ran'));
    cancel();
    await clock.advance(10);
    expect(seen).toEqual([]);
  });

  it('moves the date with the time', async () => {
    const clock = createFakeClock('2026-03-01T00:00:00.000Z');
    await clock.advance(1500);
    expect(clock.date().toISOString()).toBe('2026-03-01T00:00:01.500Z');
  });
});

describe('systemClock', () => {
  it('never goes backwards and calls back once', async () => {
    const before = systemClock.now();
    await new Promise<void>((resolve) => systemClock.after(1, resolve));
    expect(systemClock.now()).toBeGreaterThan(before);
  });

  it('does not call back after a cancel, nor at once for a far future', async () => {
    const seen: string[] = [];
    const cancelNear = systemClock.after(0, () => seen.push('near'));
    const cancelFar = systemClock.after(1e12, () => seen.push('far'));
    cancelNear();
    await new Promise<void>((resolve) => systemClock.after(5, resolve));
    cancelFar();
    expect(seen).toEqual([]);
  });
});
