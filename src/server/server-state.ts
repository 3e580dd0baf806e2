import type { ServerState } from '../schema/server.ts';

/** A server passes through these states in order; if it cannot listen, it stops at once. */
const ORDER: readonly ServerState[] = ['initializing', 'ready', 'running', 'shutting_down', 'stopped'];

export interface ServerStateKeeper {
  current(): ServerState;
  /** Throws on a step backwards, which is a bug of the caller. */
  enter(next: ServerState): void;
}

/** Ready = everything is assembled; running = the port is open. */
export function createServerState(onEnter?: (state: ServerState) => void): ServerStateKeeper {
  let state: ServerState = 'initializing';
  onEnter?.(state);
  return {
    current: () => state,
    enter(next) {
      if (ORDER.indexOf(next) <= ORDER.indexOf(state))
        throw new Error(`a server that is ${state} cannot become ${next}`);
      state = next;
      onEnter?.(next);
    },
  };
}
