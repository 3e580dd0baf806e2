import type { Agent } from '../schema/agent.ts';
import type { EventBody } from '../schema/event.ts';
import type { JsonObject } from '../schema/json.ts';
import type { Message } from '../schema/message.ts';
import type { TurnResult } from '../schema/turn.ts';
import type { User } from '../schema/user.ts';
import type { OfferedTool } from '../tools/offer.ts';
import type { TurnState } from './turn-state.ts';

/** What a plugin sees of a turn; it changes nothing of it by itself. */
export interface PluginTurn {
  agent: Agent;
  user: User;
  state: Readonly<TurnState>;
  history: readonly Message[];
  /** Metadata of the conversation, written from its own calls, never from messages. */
  memory: JsonObject;
  tools: ReadonlyMap<string, OfferedTool>;
  /** The answer as far as it stands. */
  text: string;
}

interface Prepared {
  events: EventBody[];
  /** What the model is offered instead of the turn's tools. */
  tools?: ReadonlyMap<string, OfferedTool>;
}

/** What a plugin adds to a turn's result; details stand behind those of failed calls. */
export type ResultAdditions = Partial<
  Pick<TurnResult, 'sources' | 'suggestions' | 'confidence' | 'partial_results' | 'error_details'>
>;

export interface Finished {
  events: EventBody[];
  additions: ResultAdditions;
}

/** Work around a turn that is not the loop's own. A plugin that throws costs the turn nothing but what it would add. */
export interface TurnPlugin {
  /** Before the first reply of every attempt. */
  before?(turn: PluginTurn): Promise<Prepared>;
  /** A reply asked for calls; they run next. */
  onCalls?(turn: PluginTurn): EventBody[];
  /** The last reply is whole; the turn is not yet ended. */
  after?(turn: PluginTurn): Promise<Finished>;
}
