import { afterAll, beforeAll, expect, it } from 'vitest';
import { ANN, endTurn, newTurn } from '../../src/store/contract/fixtures.ts';
import { createPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { type Pair, startPair } from '../postgres/pair.ts';

let pair: Pair;
beforeAll(async () => {
  pair = await startPair();
}, 120_000);
afterAll(() => pair.stop());

it('keeps every acknowledged turn when the replica becomes the primary, and writes to the primary only', async () => {
  const url = `postgres://postgres@${pair.ports.map((port) => `127.0.0.1:${port}`).join()}/postgres`;
  const store = await createPostgresStore({ url });
  const taken: string[] = [];
  const takeTurn = async (from: typeof store) => {
    const turn = newTurn();
    const begun = await from.beginTurn(ANN, turn);
    if (begun.outcome !== 'begun') throw new Error(begun.outcome);
    await from.writeTurn(ANN, begun.lease, endTurn(turn));
    taken.push(turn.turnId);
  };
  await takeTurn(store);
  // The first host of the URL is a replica after the first promotion, and the primary after the second.
  for (let count = 0; count < 2; count++) {
    await pair.promote();
    await expect.poll(() => store.findProblem()).toBeUndefined();
    await takeTurn(store);
    const later = await createPostgresStore({ url });
    await takeTurn(later);
    await expect.poll(() => later.describe()).toEqual({ kind: 'postgres', bus: 'live' });
    await later.close();
  }
  for (const turnId of taken) expect(await store.readTurn(ANN, turnId)).toMatchObject({ status: 'completed' });
  await store.close();
}, 120_000);
