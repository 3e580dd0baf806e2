import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { User } from '../schema/user.ts';
import type { Store, TurnLease } from '../store/store.ts';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Turns of ours whose journal failed: they run no more, but the store still says that they do, and would let nothing
 * else into their conversations. Each is written as interrupted as soon as the store takes it.
 */
export interface Abandoned {
  add(user: User, lease: TurnLease): void;
  /** Tries this one now; true when it no longer stands in the way. */
  settle(turnId: string): Promise<boolean>;
  /** Turns that the store has not yet taken. */
  readonly size: number;
  /** Tries once more; what is left is found by the next process. */
  stop(): Promise<void>;
}

interface Entry {
  user: User;
  lease: TurnLease;
  cancelTimer: () => void;
}

export function createAbandoned({ store, clock }: { store: Store; clock: Clock }): Abandoned {
  const entries = new Map<string, Entry>();
  let isStopped = false;

  const settle = async (turnId: string): Promise<boolean> => {
    const entry = entries.get(turnId);
    if (!entry) return false;
    try {
      await store.interruptTurn(entry.user, entry.lease);
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'turn_taken_over')) return false;
    }
    entry.cancelTimer();
    entries.delete(turnId);
    return true;
  };
  const tryLater = (entry: Entry, pauseMs: number) => {
    entry.cancelTimer = clock.after(pauseMs, async () => {
      const isSettled = await settle(entry.lease.turnId);
      if (!isSettled && entries.has(entry.lease.turnId)) tryLater(entry, Math.min(pauseMs * 2, LONGEST_PAUSE_MS));
    });
  };

  return {
    add(user, lease) {
      if (isStopped) return;
      const entry: Entry = { user, lease, cancelTimer: () => {} };
      entries.set(lease.turnId, entry);
      tryLater(entry, FIRST_PAUSE_MS);
    },
    settle,
    get size() {
      return entries.size;
    },
    async stop() {
      isStopped = true;
      for (const entry of entries.values()) entry.cancelTimer();
      await Promise.all([...entries.keys()].map(settle));
    },
  };
}
