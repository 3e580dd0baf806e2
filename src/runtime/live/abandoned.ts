import type { Clock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import type { User } from '../../schema/user.ts';
import type { Store, TurnLease } from '../../store/store.ts';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Turns of this process whose journal failed. They no longer run, but the store still lists them as running, which
 * blocks their conversations. Each is marked as interrupted as soon as the store accepts writes again.
 */
export interface Abandoned {
  add(user: User, lease: TurnLease): void;
  /** Tries to mark this turn now; true if it no longer blocks its conversation. */
  settle(turnId: string): Promise<boolean>;
  /** Number of turns that the store has not yet accepted as interrupted. */
  readonly size: number;
  /** Tries once more; recovery of the next process finds the remaining ones. */
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
