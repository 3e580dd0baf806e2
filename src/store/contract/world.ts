import { afterEach, beforeEach } from 'vitest';
import type { Store } from '../store.ts';
import { ANN, type CallStep, callEvents, endTurn, type NewTurn, NOW, newTurn } from './fixtures.ts';

/** A database under test that several processes could share. */
interface Bench {
  /** Opens the database again, as another process would. A closed store counts as a dead process. */
  open(): Promise<Store>;
  dispose(): Promise<void>;
}

export type MakeBench = (options: { now: () => Date }) => Promise<Bench>;

/** A fresh database for each test, with an open store and a clock that the test moves. */
export interface World {
  store: Store;
  clock: Date;
  open(): Promise<Store>;
  /** Begins a turn of the user Ann. */
  begin(options?: NewTurn): Promise<BegunTurn>;
  beginAndEnd(options?: NewTurn): Promise<BegunTurn>;
  /** Begins a turn in a process that dies right after the steps of its call. */
  beginAndDie(options?: NewTurn, steps?: CallStep[]): Promise<BegunTurn>;
}

type BegunTurn = Awaited<ReturnType<typeof beginTurn>>;

export function useWorld(makeBench: MakeBench): World {
  const world = {} as World; // filled before each test
  let bench: Bench;

  beforeEach(async () => {
    world.clock = new Date(NOW);
    bench = await makeBench({ now: () => world.clock });
    world.store = await bench.open();
  });
  afterEach(async () => {
    await world.store.close();
    await bench.dispose();
  });

  world.open = () => bench.open();
  world.begin = (options) => beginTurn(world.store, options);
  world.beginAndEnd = async (options) => {
    const turn = await beginTurn(world.store, options);
    await world.store.writeTurn(ANN, turn.lease, endTurn(turn));
    return turn;
  };
  world.beginAndDie = async (options, steps = []) => {
    const store = await bench.open();
    const turn = await beginTurn(store, options);
    if (steps.length > 0) await store.writeTurn(ANN, turn.lease, { events: callEvents(turn, steps) });
    await store.close();
    return turn;
  };
  return world;
}

async function beginTurn(store: Store, options: NewTurn = {}) {
  const turn = newTurn(options);
  const begun = await store.beginTurn(ANN, turn);
  if (begun.outcome !== 'begun') throw new Error(`not begun: ${begun.outcome}`);
  return { ...turn, lease: begun.lease };
}
