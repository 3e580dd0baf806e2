import { describe, expect, it } from 'vitest';
import { ALICE, BOB } from '../../../test/build.ts';
import { userFromId } from '../../identity/user.ts';
import { createAcceptedDefinitions } from './accepted-definitions.ts';
import { createUserPool } from './server-pool.ts';
import type { SupervisedServer } from './supervised-server.ts';

const CAROL = userFromId('33333333-3333-4333-8333-333333333333');

interface FakeServer extends SupervisedServer {
  isBusy: boolean;
  isOpen: boolean;
}

function buildPool(parts: { maxConnections?: number; maxUsers?: number } = {}) {
  const create = (): FakeServer => ({
    definitions: createAcceptedDefinitions(),
    isBusy: false,
    isOpen: true,
    offer: async () => [],
    call: async () => ({ result: null }),
    state() {
      return { state: this.isOpen ? 'ready' : 'idle' };
    },
    async disconnect() {
      this.isOpen = false;
    },
  });
  const pool = createUserPool({ name: 'mail', maxConnections: 2, maxUsers: 10, create, ...parts });
  // The pool returns the server that `create` made.
  return { pool, take: (user: typeof ALICE) => pool.take(user) as FakeServer };
}

describe('createUserPool', () => {
  it('gives each user a server of his own, the same each time', () => {
    const { take } = buildPool();
    const [alice, bob] = [take(ALICE), take(BOB)];
    expect([take(ALICE) === alice, take(BOB) === bob, alice === bob]).toEqual([true, true, false]);
  });

  it('closes the longest unused connection to make room', () => {
    const { take } = buildPool();
    const [alice, bob] = [take(ALICE), take(BOB)];
    take(ALICE);
    take(CAROL);
    expect([alice.isOpen, bob.isOpen]).toEqual([true, false]);
  });

  it('refuses when every connection is in use, and says so', () => {
    const { pool, take } = buildPool();
    for (const user of [ALICE, BOB]) take(user).isBusy = true;
    expect(() => take(CAROL)).toThrow('All 2 connections to mail are in use.');
    expect([pool.isFull(), take(ALICE).isBusy]).toEqual([true, true]);
  });

  it('forgets the longest unused user beyond the limit, but nobody who is connected', () => {
    const { pool, take } = buildPool({ maxUsers: 1 });
    take(ALICE).isOpen = false;
    const bob = take(BOB);
    take(CAROL);
    expect([pool.find(ALICE), pool.find(BOB)]).toEqual([undefined, bob]);
  });
});
