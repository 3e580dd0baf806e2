import type { Clock } from '../clock.ts';
import type { Admission } from '../runtime/live/admission.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Agent, ServerConfig } from '../schema/agent.ts';
import type { Me, ServerState } from '../schema/server.ts';
import type { TakeTurn } from './rate-limit.ts';

export interface StreamTiming {
  keepaliveMs: number;
  stallMs: number;
}

/** Dependencies of every route. */
export interface ServerDeps {
  runtime: Runtime;
  server: ServerConfig;
  signIn: Me['auth'];
  state(): ServerState;
  takeTurn: TakeTurn;
  /** Limits the open event streams per user. */
  streams: Admission;
  timing: StreamTiming;
  debug: boolean;
  /** Aborted when the server begins to stop, which ends the streams that wait for later turns. */
  stopping: AbortSignal;
  /** The folder with an agent's test runs; without it, no runs are shown. */
  runsFolder?(agent: Agent): string;
  /** The clock for displayed times. */
  clock: Clock;
}
