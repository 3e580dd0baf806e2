import type { Agent } from '../schema/agent.ts';
import type { Event } from '../schema/event.ts';

/** One attempt at one turn, as it is told to whoever watches the program. */
export interface WatchedTurn {
  agent: Agent;
  turnId: string;
  conversationId: string;
  attempt: number;
}

/** Traces and metrics of turns, made from their events. Never throws into a turn and never holds one up. */
export interface Telemetry {
  /** Gets ready for an agent that is to be watched; nothing is loaded for the others. */
  prepare(agent: Agent): Promise<void>;
  /** Takes the turn's events in their order; undefined for an agent that is not watched. */
  watchTurn(turn: WatchedTurn): ((event: Event) => void) | undefined;
  /** Sends what is left; gives up after a few seconds. */
  close(): Promise<void>;
}

export interface TelemetryOptions {
  version: string;
  /** Takes lines of text. */
  write(line: string): void;
}
