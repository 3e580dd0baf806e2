import type { User } from '../../schema/user.ts';
import type { Store, StoredTurn } from '../../store/store.ts';
import type { Abandoned } from '../live/abandoned.ts';

interface GoneDeps {
  store: Store;
  abandoned: Abandoned;
}

/**
 * Whether a turn stored as running no longer runs: its journal failed here, or its process has died. Other dead turns
 * that recovery finds meanwhile do not count.
 */
export async function isGone({ store, abandoned }: GoneDeps, user: User, turn: StoredTurn): Promise<boolean> {
  if (await abandoned.settle(turn.id)) return true;
  const recovered = await store.recover();
  if (recovered.some(({ turnId }) => turnId === turn.id)) return true;
  // Another process may have recovered it at the same moment, or the turn has just ended.
  return (await store.readTurn(user, turn.id))?.status !== 'running';
}
