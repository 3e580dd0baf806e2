import { describe, expect, it } from 'vitest';
import { ANN, BOB } from './fixtures.ts';
import type { World } from './world.ts';

const today = { agent: 'todo', day: '2026-01-05' };

export function describeSpending(world: World): void {
  describe('costs', () => {
    it('are counted for a user and for all, each agent and day by itself', async () => {
      const { store } = world;
      expect(await store.readCost(ANN, today)).toEqual({ user: 0, all: 0 });
      expect(await store.reserveCost(ANN, { ...today, micros: 500, caps: {} })).toBe('reserved');
      await store.reserveCost(BOB, { ...today, micros: 70, caps: {} });
      await store.reserveCost(ANN, { ...today, agent: 'other', micros: 9, caps: {} });
      await store.settleCost(ANN, { ...today, micros: -200 });
      expect(await store.readCost(ANN, today)).toEqual({ user: 300, all: 370 });
      expect(await store.readCost(BOB, today)).toEqual({ user: 70, all: 370 });
      expect(await store.readCost(ANN, { ...today, day: '2026-01-06' })).toEqual({ user: 0, all: 0 });
    });

    it('beyond a limit are refused, and then nothing is counted', async () => {
      const { store } = world;
      const caps = { user: 100, all: 150 };
      expect(await store.reserveCost(ANN, { ...today, micros: 101, caps })).toBe('user');
      expect(await store.reserveCost(ANN, { ...today, micros: 100, caps })).toBe('reserved');
      expect(await store.reserveCost(ANN, { ...today, micros: 1, caps })).toBe('user');
      expect(await store.reserveCost(BOB, { ...today, micros: 51, caps })).toBe('all');
      expect(await store.reserveCost(BOB, { ...today, micros: 50, caps })).toBe('reserved');
      expect(await store.readCost(BOB, today)).toEqual({ user: 50, all: 150 });
    });

    it('of many calls at once, on several servers, never exceed a limit', async () => {
      const other = await world.open();
      const reservation = { ...today, micros: 10, caps: { user: 1_000, all: 95 } };
      const calls = Array.from({ length: 12 }, (_, index) =>
        (index % 2 === 0 ? world.store : other).reserveCost(index % 3 === 0 ? ANN : BOB, reservation),
      );
      const outcomes = await Promise.all(calls);
      await other.close();
      expect(outcomes.filter((outcome) => outcome === 'reserved')).toHaveLength(9);
      expect(outcomes.filter((outcome) => outcome === 'all')).toHaveLength(3);
      expect((await world.store.readCost(ANN, today)).all).toBe(90);
    });
  });
}
