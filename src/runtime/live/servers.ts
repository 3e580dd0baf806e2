import type { Log } from '../../log.ts';
import type { Store } from '../../store/store.ts';
import type { ChatDeps } from '../turn/turn.ts';
import { createHub, type Hub } from './hub.ts';
import { startTakeOver, type TakeOver } from './take-over.ts';
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

interface TurnRequests {
  /** Takes the requests of other processes for the turns of this one. */
  check(): Promise<void>;
  close(): void;
}

interface TurnRequestsOptions {
  store: Pick<Store, 'takeRequests'>;
  turns: Turns;
  hub: Hub;
  log?: Log | undefined;
}

/** How often the store is asked while a turn runs; a note makes it at once. */
const CHECK_EVERY_MS = 250;
/** With notes, the store is asked this often in case one was lost. */
const NET_MS = 2_000;

/** Cancels and answers turns of this process on behalf of requests that other processes took. */
function createTurnRequests({ store, turns, hub, log }: TurnRequestsOptions): TurnRequests {
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const check = async () => {
    const running = turns.list();
    if (running.length === 0) return;
    const taken = await store.takeRequests(running.map(({ turnId }) => turnId));
    for (const request of taken) {
      const turn = running.find(({ turnId }) => turnId === request.turnId);
      if (request.kind === 'cancel') turn?.cancel();
      else turn?.answer(request.answers, request.key);
    }
  };
  const tryCheck = () => check().catch((error: unknown) => log?.('requests for turns could not be read', { error }));
  const schedule = () => {
    if (isClosed || timer || turns.active === 0) return;
    const pause = hub.isLive ? NET_MS : CHECK_EVERY_MS;
    timer = setTimeout(() => {
      timer = undefined;
      void tryCheck().then(schedule);
    }, pause).unref();
  };
  const stopStarts = turns.onAnyStart((turn) => {
    // A turn that was taken over may have requests from before, and a note may have come before its turn.
    if (hub.isLive || turn.events().some(({ type }) => type === 'turn-resume')) void tryCheck();
    schedule();
  });
  const stopPokes = hub.onPoke(() => void tryCheck());
  return {
    check,
    close() {
      isClosed = true;
      clearTimeout(timer);
      stopStarts();
      stopPokes();
    },
  };
}
