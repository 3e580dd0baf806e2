import type { Clock } from '../clock.ts';
import type { Admission } from '../runtime/admission.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { ServerConfig } from '../schema/agent.ts';
import type { ServerState } from '../schema/server.ts';
import type { TakeTurn } from './rate-limit.ts';

export interface StreamTiming {
  keepaliveMs: number;
  stallMs: number;
}

/** What every route works with. */
export interface ServerDeps {
  runtime: Runtime;
  server: ServerConfig;
  state(): ServerState;
  takeTurn: TakeTurn;
  /** Open event streams. */
  streams: Admission;
  timing: StreamTiming;
  debug: boolean;
  /** Aborted when the server begins to stop: nobody waits for later turns any more. */
  stopping: AbortSignal;
  /** For times that are shown. */
  clock: Clock;
}
