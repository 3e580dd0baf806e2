import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Model } from '../models/model.ts';
import type { Agent } from '../schema/agent.ts';
import type { Event, EventBody } from '../schema/event.ts';
import type { Message } from '../schema/message.ts';
import type { User } from '../schema/user.ts';
import type { OfferedTool } from '../tools/offer.ts';
import type { Validator } from '../tools/validate.ts';
import type { Deadlines } from './deadlines.ts';
import type { Journal } from './journal.ts';
import { applyEvent, type TurnState } from './turn-state.ts';

/** What a turn is run with; all of it comes in, so that the same loop serves every front. */
export interface TurnDeps {
  agent: Agent;
  user: User;
  model: Model;
  /** What is offered to the model, fixed while the turn runs. */
  tools: ReadonlyMap<string, OfferedTool>;
  /** What the model and the user must know of this turn's tools, such as a server that is down. */
  notes?: readonly string[];
  /** Earlier messages of the conversation, newest last. */
  history: readonly Message[];
  journal: Journal;
  validator: Validator;
  clock: Clock;
  timezone: string;
  /** For what people are not shown: a tool's exception, a provider's words. */
  log?: Log;
  /** Aborted = the user stopped the turn. */
  signal: AbortSignal;
}

/** A turn that is being run. */
export interface RunningTurn {
  state: TurnState;
  deps: TurnDeps;
  deadlines: Deadlines;
}

/** Writes the events down, then tells them. */
export async function* tell(turn: RunningTurn, ...bodies: EventBody[]): AsyncGenerator<Event, void> {
  for (const body of bodies) applyEvent(turn.state, body);
  yield* await turn.deps.journal.commit(...bodies);
}
