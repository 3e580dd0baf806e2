import type { Agent } from '../schema/agent.ts';
import type { Event } from '../schema/conversation/event.ts';

/** An attempt at a turn that is traced. */
export interface WatchedTurn {
  agent: Agent;
  turnId: string;
  conversationId: string;
  attempt: number;
  /** The caller's trace, in W3C Trace Context format. */
  traceparent?: string | undefined;
}

/** Traces a turn. */
export interface TurnWatch {
  /** Accepts the turn's events in order. */
  take(event: Event): void;
  /** The traceparent for requests of a model call (`stepKey`) or a tool call (its id). */
  traceparent(key: string): string;
}

/** Builds traces and metrics from the events of turns. Never throws into a turn and never delays it. */
export interface Telemetry {
  /** Loads the tracing code for an agent that is traced; does nothing for others. */
  prepare(agent: Agent): Promise<void>;
  /** Undefined if the agent is not traced, unless the caller sent a trace. */
  watchTurn(turn: WatchedTurn): TurnWatch | undefined;
  /** Sends everything that still waits; gives up after a few seconds. */
  close(): Promise<void>;
}

export interface TelemetryOptions {
  version: string;
  /** Receives lines of text. */
  write(line: string): void;
}
