import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Model } from '../models/model.ts';
import type { Agent } from '../schema/agent.ts';
import type { CallAnswer, Event, EventBody } from '../schema/event.ts';
import type { Json, JsonObject } from '../schema/json.ts';
import type { Message } from '../schema/message.ts';
import type { User } from '../schema/user.ts';
import type { OfferedTool } from '../tools/offer.ts';
import type { Validator } from '../tools/validate.ts';
import type { AttachedTexts } from './attached-text.ts';
import type { Deadlines } from './deadlines.ts';
import type { Journal } from './journal.ts';
import type { Latecomers, LateTools } from './late-tools.ts';
import type { TurnPlugin } from './plugin.ts';
import { offerReadOutput } from './read-output.ts';
import type { Zone } from './time-zone.ts';
import { applyEvent, type TurnState } from './turn-state.ts';

/** The answer to a question, with everything that its request brought. */
export interface QuestionReply {
  value: Json;
  answers: readonly CallAnswer[];
  key?: string;
  notice?: string;
}

/** Questions of running calls, answered from outside. */
export interface Questions {
  /** Why no question can be asked now; undefined = it can. */
  refusal(): string | undefined;
  ask(callId: string, signal: AbortSignal): Promise<QuestionReply>;
}

/** What a turn is run with; all of it comes in, so that the same loop serves every front. */
export interface TurnDeps {
  agent: Agent;
  user: User;
  model: Model;
  /** What is offered to the model, fixed while the turn runs. */
  tools: ReadonlyMap<string, OfferedTool>;
  /** Tools of servers that are still starting. */
  late?: LateTools;
  /** What the model and the user must know of this turn's tools, such as a server that is down. */
  notes?: readonly string[];
  /** Notices for the user alone, such as messages that were left out of the history. */
  notices?: readonly string[];
  /** Earlier messages of the conversation, newest last. */
  history: readonly Message[];
  /** Metadata of the conversation, written from its own calls; absent for a turn that is not stored. */
  memory?: JsonObject;
  /** The files of these messages and of this turn's, as the model reads them. */
  attached?: AttachedTexts;
  journal: Journal;
  /** Loaded when the first call is made. */
  validator(): Promise<Validator>;
  clock: Clock;
  zone: Zone;
  /** Time that went into this attempt before the loop: what was opened and read for it. */
  spentMs?: number;
  plugins?: readonly TurnPlugin[];
  /** Where a running call's question is answered; absent = nobody can be asked. */
  questions?: Questions;
  /** The user has moved on: the turn ends once its calls have an outcome, without another reply. */
  endsAfterCalls?: boolean;
  /** The trace context of a model call or a tool call, for the requests that it makes. */
  traceparent?: ((key: string) => string) | undefined;
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
  latecomers?: Latecomers;
}

/** The process stops: nobody gave the turn up, so it is left as a crash would leave it, and can be continued. */
export function isInterruption({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof AppError && reason.code === 'shutting_down';
}

/** Writes the events down, then tells them. */
export async function* tell(turn: RunningTurn, ...bodies: EventBody[]): AsyncGenerator<Event, void> {
  for (const body of bodies) applyEvent(turn.state, body);
  yield* await turn.deps.journal.commit(...bodies);
}

/** Tools that the model may call now: the turn's, those that came later, and one that reads the rest of a cut output. */
export function toolsNow({ state, deps, latecomers }: RunningTurn): ReadonlyMap<string, OfferedTool> {
  const tools = latecomers?.add(deps.tools) ?? deps.tools;
  const reader = offerReadOutput(state, deps.agent.limits.tool_output_chars);
  return reader ? new Map([...tools, [reader.tool.name, reader]]) : tools;
}
