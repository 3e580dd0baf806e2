import { describe, expect, it } from 'vitest';
import { ANN, BOB, NOW } from './fixtures.ts';
import type { World } from './world.ts';

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
