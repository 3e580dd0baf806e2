import { describe, expect, it } from 'vitest';
import { ANN, BOB } from './fixtures.ts';
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
