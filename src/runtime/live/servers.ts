import type { Log } from '../../log.ts';
import type { Store } from '../../store/store.ts';
import type { ChatDeps } from '../turn/turn.ts';
import { createHub, type Hub } from './hub.ts';
import { startTakeOver, type TakeOver } from './take-over.ts';
import { createTurnRequests } from './turn-requests.ts';
import type { Turns } from './turns.ts';

/** The other processes and servers on the same store. */
export interface Servers {
  hub: Hub;
  /** Begins to continue turns of dead servers. */
  start(deps: ChatDeps): void;
  /** Takes over nothing more; called before the own turns are stopped. */
  stop(): Promise<void>;
  close(): void;
}

export function joinServers({ store, turns, log }: { store: Store; turns: Turns; log: Log | undefined }): Servers {
  const hub = createHub(store, turns);
  const requests = createTurnRequests({ store, turns, hub, log });
  let takeOver: TakeOver | undefined;
  return {
    hub,
    start(deps) {
      if (store.isShared) takeOver = startTakeOver(deps);
    },
    stop: async () => takeOver?.close(),
    close() {
      requests.close();
      hub.close();
    },
  };
}
