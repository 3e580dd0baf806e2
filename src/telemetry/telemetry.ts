import type { Agent } from '../schema/agent.ts';
import type { Event } from '../schema/event.ts';

/** One attempt at one turn, as it is told to whoever watches the program. */
export interface WatchedTurn {
  agent: Agent;
  turnId: string;
  conversationId: string;
  attempt: number;
  /** The trace that the caller is in, as W3C Trace Context writes it. */
  traceparent?: string | undefined;
}

/** A turn that is watched. */
export interface TurnWatch {
  /** Takes the turn's events in their order. */
  take(event: Event): void;
  /** What a request carries that is part of a model call (`stepKey`) or of a tool call (its id). */
  traceparent(key: string): string;
}

/** Traces and metrics of turns, made from their events. Never throws into a turn and never holds one up. */
export interface Telemetry {
  /** Gets ready for an agent that is to be watched; nothing is loaded for the others. */
  prepare(agent: Agent): Promise<void>;
  /** Undefined for an agent that is not watched, unless its caller brought a trace. */
  watchTurn(turn: WatchedTurn): TurnWatch | undefined;
  /** Sends what is left; gives up after a few seconds. */
  close(): Promise<void>;
}

export interface TelemetryOptions {
  version: string;
  /** Takes lines of text. */
  write(line: string): void;
}
