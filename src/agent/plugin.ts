import type { Agent } from '../schema/agent.ts';
import type { EventBody } from '../schema/conversation/event.ts';
import type { Message } from '../schema/conversation/message.ts';
import type { TurnResult } from '../schema/conversation/turn.ts';
import type { JsonObject } from '../schema/json.ts';
import type { User } from '../schema/user.ts';
import type { OfferedTool } from '../tools/offer.ts';
import type { TurnState } from './turn-state.ts';

/** A plugin's view of a turn. Plugins return events; they never change the turn directly. */
export interface PluginTurn {
  agent: Agent;
  user: User;
  state: Readonly<TurnState>;
  history: readonly Message[];
  /** Metadata of the conversation. It comes from the conversation's own calls, never from messages. */
  memory: JsonObject;
  tools: ReadonlyMap<string, OfferedTool>;
  /** The answer so far. */
  text: string;
}

interface Prepared {
  events: EventBody[];
  /** Replaces the tools that the model is offered. */
  tools?: ReadonlyMap<string, OfferedTool>;
  /** The text of replies is sent only after `onAnswer`. A function is asked before every reply, as calls may decide it. */
  holds?: true | ((turn: PluginTurn) => boolean);
}

/** A decision on a held answer. The reason is for the journal. */
export type Verdict = 'keep' | { replace: string; reason: string };

/** Additions of a plugin to a turn's result. Its details follow those of failed calls. */
export type ResultAdditions = Partial<
  Pick<TurnResult, 'sources' | 'suggestions' | 'confidence' | 'citations' | 'partial_results' | 'error_details'>
>;

export interface Finished {
  events: EventBody[];
  additions: ResultAdditions;
}

/** Work around a turn that is not part of the loop. If a plugin throws, the turn continues without its additions. */
export interface TurnPlugin {
  /** Called before the first reply of every attempt. */
  before?(turn: PluginTurn): Promise<Prepared>;
  /** Called when a reply has requested calls, before they run. */
  onCalls?(turn: PluginTurn): EventBody[];
  /**
   * Called with a held reply that requests no calls, before anybody has seen it. If it throws, the text is sent as it is,
   * with a warning and low confidence.
   */
  onAnswer?(turn: PluginTurn, text: string): Promise<Verdict>;
  /** Called when the last reply is complete, before the turn ends. Sees the checks of the plugins before it. */
  after?(turn: PluginTurn): Promise<Finished>;
}
