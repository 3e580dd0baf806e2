import { describe, expect, it } from 'vitest';
import { ANN, BOB, NOW } from './fixtures.ts';
import type { World } from './world.ts';

export function describeAcceptedTools(world: World): void {
  describe('accepted tools', () => {
    const mail = { agent: 'todo', server: 'mail' };

    it('are kept for each agent, server and user, and for all users together', async () => {
      const { store } = world;
      await store.acceptTools(ANN, mail, { send: 'a1' });
      await store.acceptTools(undefined, mail, { send: 's1', read: 's2' });
      expect(await store.readAcceptedTools(ANN, mail)).toEqual({ send: 'a1' });
      expect(await store.readAcceptedTools(undefined, mail)).toEqual({ send: 's1', read: 's2' });
      expect(await store.readAcceptedTools(BOB, mail)).toBeUndefined();
      expect(await store.readAcceptedTools(ANN, { ...mail, agent: 'retail' })).toBeUndefined();
      expect(await store.readAcceptedTools(ANN, { ...mail, server: 'files' })).toBeUndefined();
    });

    it('replace the earlier ones, even by an empty list', async () => {
      const { store } = world;
      await store.acceptTools(ANN, mail, { send: 'a1', read: 'a2' });
      await store.acceptTools(ANN, mail, { send: 'b1' });
      expect(await store.readAcceptedTools(ANN, mail)).toEqual({ send: 'b1' });
      await store.acceptTools(ANN, mail, {});
      expect(await store.readAcceptedTools(ANN, mail)).toEqual({});
    });

    it('are seen by every process', async () => {
      const other = await world.open();
      await other.acceptTools(undefined, mail, { send: 's1' });
      await other.close();
      expect(await world.store.readAcceptedTools(undefined, mail)).toEqual({ send: 's1' });
    });
  });
}

const LATER = '2099-01-01T00:00:00.000Z';

export function describeSecrets(world: World): void {
  describe('sealed values', () => {
    it('belong to one user, or to the program', async () => {
      const { store } = world;
      await store.writeSecret(ANN, { name: 'mail', value: 'a', now: NOW });
      await store.writeSecret(undefined, { name: 'mail', value: 'p', now: NOW });
      expect(await store.readSecret(ANN, 'mail')).toBe('a');
      expect(await store.readSecret(undefined, 'mail')).toBe('p');
      expect(await store.readSecret(BOB, 'mail')).toBeUndefined();
      expect([await store.listSecrets(ANN), await store.listSecrets(BOB)]).toEqual([['mail'], []]);
    });

    it('are replaced only where the expected value is there', async () => {
      const { store } = world;
      const write = { name: 'lock', value: '1', now: NOW };
      expect(await store.writeSecret(ANN, { ...write, expected: '0' })).toBe(false);
      expect(await store.writeSecret(ANN, { ...write, expected: null })).toBe(true);
      expect(await store.writeSecret(ANN, { ...write, value: '2', expected: null })).toBe(false);
      expect(await store.writeSecret(ANN, { ...write, value: '2', expected: '1' })).toBe(true);
      expect(await store.readSecret(ANN, 'lock')).toBe('2');
      expect(await store.writeSecret(ANN, { ...write, value: '3' })).toBe(true);
      expect(await store.readSecret(ANN, 'lock')).toBe('3');
    });

    it('leave after their time, with the next write', async () => {
      const { store } = world;
      await store.writeSecret(ANN, { name: 'short', value: '1', expiresAt: '2026-01-05T10:00:01.000Z', now: NOW });
      await store.writeSecret(BOB, { name: 'other', value: '1', now: LATER });
      expect(await store.readSecret(ANN, 'short')).toBeUndefined();
    });

    it('are taken by one of many callers', async () => {
      const other = await world.open();
      await world.store.writeSecret(undefined, { name: 'once', value: 'v', now: NOW });
      const taken = await Promise.all([
        ...Array.from({ length: 4 }, () => world.store.takeSecret(undefined, 'once')),
        ...Array.from({ length: 4 }, () => other.takeSecret(undefined, 'once')),
      ]);
      await other.close();
      expect(taken.filter((value) => value !== undefined)).toEqual(['v']);
    });
  });
}

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
