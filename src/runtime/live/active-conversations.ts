import type { Clock } from '../../clock.ts';
import type { Agent } from '../../schema/agent.ts';
import type { Store } from '../../store/store.ts';

/** Health probes may come many times a second; the store is read at most once per interval. */
const KEPT_MS = 1_000;

export interface ActiveCountOptions {
  store: Store;
  agents(): readonly Agent[];
  clock: Clock;
}

/**
 * Counts the conversations with a request within their agent's time to live. Never rejects: if the store fails, the
 * last count is returned.
 */
export function createActiveCount({ store, agents, clock }: ActiveCountOptions): () => Promise<number> {
  let last = { count: 0, at: Number.NEGATIVE_INFINITY };
  return async () => {
    if (clock.now() - last.at < KEPT_MS) return last.count;
    const nowMs = clock.date().getTime();
    const counts = agents().map(({ name, server }) =>
      store.countActive(name, new Date(nowMs - server.session_ttl_seconds * 1000).toISOString()),
    );
    const count = await Promise.all(counts).then(
      (all) => all.reduce((sum, one) => sum + one, 0),
      () => last.count,
    );
    last = { count, at: clock.now() };
    return count;
  };
}
