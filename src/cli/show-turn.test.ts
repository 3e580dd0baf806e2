import { describe, expect, it } from 'vitest';
import { ALICE, buildTool } from '../../test/build.ts';
import { openRuntime, temporaryFolder } from '../../test/runtime.ts';
import { AppError } from '../errors.ts';
import { createSqliteStore } from '../store/sqlite/sqlite-store.ts';
import { declineUnasked, denyUnasked, showTurn } from './show-turn.ts';

const FULL = 'The disk is full. Free some space.';
const callEcho = { calls: [{ name: 'echo', arguments: { text: 'a' } }] };

/** A turn on a disk that is full from the given write on. */
async function askOnFullDisk(writes: number): Promise<unknown> {
  const store = createSqliteStore({ folder: temporaryFolder() });
  let count = 0;
  const writeTurn: typeof store.writeTurn = async (...args) => {
    if (++count > writes) throw new AppError('store_unavailable', { detail: FULL });
    return store.writeTurn(...args);
  };
  const scene = { replies: [callEcho, 'Done.'], tools: [buildTool()], store: { ...store, writeTurn } };
  const { runtime } = await openRuntime(scene);
  const turn = await runtime.chat(ALICE, { agent: 'helper', message: 'hello' });
  const ask = { show: () => {}, decide: denyUnasked, reply: declineUnasked };
  return showTurn(turn, { runtime, user: ALICE, ...ask }).catch((error: AppError) => error.message);
}

describe('showTurn', () => {
  it('gives the next step if nothing has run', async () => {
    expect(await askOnFullDisk(0)).toBe(FULL);
  });

  it('asks to check first if the outcome of a call is unknown', async () => {
    expect(await askOnFullDisk(1)).toBe(
      `${FULL} It is unknown whether echo took effect; check before you ask for it again.`,
    );
  });

  it('does not ask to check a call whose outcome was written', async () => {
    expect(await askOnFullDisk(2)).toBe(FULL);
  });
});
