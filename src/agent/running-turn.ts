import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { Ids } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Model, ModelRequest, Pictures, ToolChoice } from '../models/model.ts';
import type { Agent } from '../schema/agent.ts';
import type { CallAnswer, Event, EventBody } from '../schema/conversation/event.ts';
import type { Message } from '../schema/conversation/message.ts';
import type { ToolCall } from '../schema/conversation/tool-call.ts';
import type { Json, JsonObject } from '../schema/json.ts';
import type { User } from '../schema/user.ts';
import type { OfferedTool } from '../tools/offer.ts';
import type { DelegatedCall, ToolOutcome } from '../tools/tool.ts';
import type { Validator } from '../tools/validate.ts';
import type { AttachedTexts } from './attached-text.ts';
import type { Deadlines } from './deadlines.ts';
import type { Journal } from './journal.ts';
import type { Latecomers, LateTools } from './late-tools.ts';
import type { PluginTurn, TurnPlugin } from './plugin.ts';
import { offerReadOutput } from './read-output.ts';
import type { Zone } from './time-zone.ts';
import { applyEvent, type HeldDraft, type TurnState } from './turn-state.ts';

/** The answer to a question, and the other answers of the same request. */
export interface QuestionReply {
  value: Json;
  answers: readonly CallAnswer[];
  key?: string;
  notice?: string;
}

/** Asks questions of running calls; the answers come from outside the loop. */
export interface Questions {
  /** The reason why no question can be asked now; undefined if it can. */
  refusal(): string | undefined;
  ask(callId: string, signal: AbortSignal): Promise<QuestionReply>;
}

/** The end of a model call, for its budget. */
interface CallOutcome {
  /** Undefined if the provider sent no usage, as for a call that was cut off. */
  costUsd: number | undefined;
  /** An estimate of the output that arrived. */
  outputTokens: number;
}

/** Limits the cost of a turn's model calls. */
export interface TurnBudget {
  /**
   * Counts the largest cost of a call before it is made. Throws `budget_reached` if a usual cost would exceed a limit.
   * Returns a function that replaces the count by the real cost.
   */
  reserve(request: ModelRequest): Promise<(outcome: CallOutcome) => Promise<void>>;
}

/** The place of a turn in a team with hand-overs. */
export interface TeamPlace {
  /** The name of the agent that answers now. */
  speaker: string;
  /** The limit of the conversation's first agent counts, whoever answers. */
  answerSeconds: number;
  /** How often the turn was handed over before this agent's part. */
  handOvers: number;
  /** The messages of this turn as the agent that answers reads them. */
  read(messages: readonly Message[]): readonly Message[];
  /** The turn's parts if this agent answers it. */
  partsOf(speaker: string): Promise<TurnDeps>;
}

/** The members that read each answer before it is sent, in order. */
export interface AnswerReaders {
  /** The tools of their calls: the only ones while a draft is held. */
  tools: ReadonlyMap<string, OfferedTool>;
  /** The call of the next one; undefined if all have read the draft. */
  next(draft: HeldDraft, calls: readonly ToolCall[]): ToolCall | undefined;
  /** The text to send. Throws `answer_withheld` if there is none. */
  decide(draft: HeldDraft, calls: readonly ToolCall[]): { text: string; reasons: string[]; warning?: string };
}

/** Dependencies of a turn. All are passed in, so that the same loop serves every front. */
export interface TurnDeps {
  agent: Agent;
  user: User;
  model: Model;
  /** The tools offered to the model. They do not change while the turn runs. */
  tools: ReadonlyMap<string, OfferedTool>;
  /** Tools of servers that are still starting. */
  late?: LateTools;
  /** Facts about this turn's tools for the model and the user, such as a server that is down. */
  notes?: readonly string[];
  /** Notices for the user alone, such as messages that were left out of the history. */
  notices?: readonly string[];
  /** Earlier messages of the conversation, newest last. */
  history: readonly Message[];
  /** Metadata of the conversation, written from its own calls. Absent when the turn is not stored. */
  memory?: JsonObject;
  /** File texts of the history and of this turn, as the model reads them. */
  attached?: AttachedTexts;
  /** Pictures of this turn's message. They are sent in this attempt only and stored nowhere. */
  pictures?: Pictures;
  journal: Journal;
  /** Loaded when the first call is made. */
  validator(): Promise<Validator>;
  clock: Clock;
  ids: Ids;
  zone: Zone;
  /** Time that this attempt spent before the loop, such as opening and reading files. */
  spentMs?: number;
  plugins?: readonly TurnPlugin[];
  budget?: TurnBudget | undefined;
  /** Answers questions of running calls; absent if no human can be asked. */
  questions?: Questions;
  /** The tool that the first reply of the turn must call. */
  toolChoice?: ToolChoice | undefined;
  /** The user has sent the next message: the turn ends once its calls have an outcome, without another reply. */
  endsAfterCalls?: boolean;
  /** Returns the trace context that a model call or a tool call adds to its requests. */
  traceparent?: ((key: string) => string) | undefined;
  /** Runs turns of members of the team. Absent if the agent has none, or the turn is not stored. */
  delegate?: ((call: DelegatedCall) => Promise<ToolOutcome>) | undefined;
  /** Absent if the agent hands conversations over to nobody. */
  team?: TeamPlace | undefined;
  readers?: AnswerReaders | undefined;
  /** The longest active time of this attempt, in place of the agent's limit: a member has a part of its team's time. */
  limitMs?: number | undefined;
  /** Whether a call that must not run twice may begin now; absent = always. */
  mayAct?(): boolean;
  /** For details that users do not see: a tool's exception, a provider's error text. */
  log?: Log;
  /** Aborted when the user stops the turn. */
  signal: AbortSignal;
}

/** A turn that is being run. */
export interface RunningTurn {
  state: TurnState;
  deps: TurnDeps;
  deadlines: Deadlines;
  latecomers?: Latecomers;
  /** The plugins that see an answer before it is sent, and whether the notice was sent. */
  hold?: { by: readonly { plugin: TurnPlugin; when: true | ((turn: PluginTurn) => boolean) }[]; isNoted: boolean };
}

/** Replies name their agent: each branch of a conversation has its own. */
export function withSpeaker({ team }: Pick<TurnDeps, 'team'>, metadata: JsonObject): JsonObject {
  return team ? { ...metadata, agent: team.speaker } : metadata;
}

/** Agents without plugins do not load the code that runs them. */
export function hasPlugins({ deps }: RunningTurn): boolean {
  return deps.plugins !== undefined && deps.plugins.length > 0;
}

/** True when the process is shutting down. The turn is then left as after a crash and can be continued. */
export function isInterruption({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof AppError && reason.code === 'shutting_down';
}

/** Writes the events to the journal, then emits them. */
export async function* emit(turn: RunningTurn, ...bodies: EventBody[]): AsyncGenerator<Event, void> {
  for (const body of bodies) applyEvent(turn.state, body);
  yield* await turn.deps.journal.commit(...bodies);
}

type Offering = Pick<RunningTurn, 'state' | 'latecomers'> & { deps: Pick<TurnDeps, 'tools' | 'agent' | 'readers'> };

/** The tools that the model may call now: the turn's, late ones, and the reader for cut outputs. */
export function toolsNow({ state, deps, latecomers }: Offering): ReadonlyMap<string, OfferedTool> {
  if (state.draft && deps.readers) return deps.readers.tools;
  const tools = latecomers?.add(deps.tools) ?? deps.tools;
  const reader = offerReadOutput(state, deps.agent.limits.tool_output_chars);
  return reader ? new Map([...tools, [reader.tool.name, reader]]) : tools;
}
