import type { CallAnswer, CallWait, Draft, EventBody, EventOf, Rejected } from '../schema/conversation/event.ts';
import type { Message } from '../schema/conversation/message.ts';
import { addUsage, type TokenUsage } from '../schema/conversation/token-usage.ts';
import { isEnded, type ToolCall } from '../schema/conversation/tool-call.ts';
import type { AnswerCheck, TurnResult, TurnStatus } from '../schema/conversation/turn.ts';
import type { Intent } from '../schema/domain.ts';
import type { FileVerdict } from '../schema/file.ts';
import type { JsonObject } from '../schema/json.ts';
import { toolMessage } from './tool-message.ts';

type Body<Type extends EventBody['type']> = Extract<EventBody, { type: Type }>;

/** A model reply in progress. */
interface OpenStep {
  iteration: number;
  messageId: string;
  text: string;
  isSummary: boolean;
}

/** An answer that is not sent yet, with the calls of the members that read it and what each would send in its place. */
export interface HeldDraft extends Draft {
  reads: { id: string; answer?: string | undefined }[];
}

/** The state of a turn, computed from its events alone. */
export interface TurnState {
  turnId: string;
  conversationId: string;
  agent: string;
  status: TurnStatus;
  messages: Message[];
  calls: ToolCall[];
  /** Calls of the turns that this one replaced, without the calls that it carries itself. */
  alreadyRan: readonly ToolCall[];
  /** The format that the request named. */
  responseFormat: JsonObject | undefined;
  /** The last answer, if it does not fit the required format; the next reply corrects it. */
  rejected: Rejected | undefined;
  /** The number of rejected answers. */
  rejections: number;
  /** Maps a call id to the id of the message with its outcome. */
  toolMessageIds: Map<string, string>;
  waits: Map<string, CallWait>;
  /** Answers by call, each with the id of the event that brought it. */
  answers: Map<string, { answer: CallAnswer; by: string }>;
  /** Maps a waiting delegation to the calls that it waits for. */
  asked: Map<string, readonly string[]>;
  /** The agents that the turn was handed over to, in order. */
  handedOverTo: string[];
  /** The calls of members that the turn has waited for. */
  members: Map<string, { tool: string; agent: string }>;
  step: OpenStep | undefined;
  draft: HeldDraft | undefined;
  /** The text of the newest reply that had any. */
  text: string;
  /** The number of ended model replies, without the summary at the limit. */
  iterations: number;
  usage: TokenUsage | undefined;
  intents: Intent[];
  files: FileVerdict[];
  checks: AnswerCheck[];
  routing: EventOf<'routing'>['decision'] | undefined;
  /** Time spent before a wait. Waiting itself does not count. */
  activeMs: number;
  result: TurnResult | undefined;
}

/** Applies the stored events of one turn, over all its attempts. */
export function foldEvents(events: Iterable<EventBody>): TurnState {
  const state = emptyState();
  for (const event of events) applyEvent(state, event);
  return state;
}

/** Applies one event. The loop applies events before it writes them; recovery applies the written ones. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one flat switch over one union
export function applyEvent(state: TurnState, event: EventBody & { id?: string }): void {
  switch (event.type) {
    case 'turn-start':
      startTurn(state, event);
      return;
    case 'turn-resume':
      // The unfinished reply is requested again, so its text no longer counts.
      state.step = undefined;
      state.status = 'running';
      for (const answer of event.answers ?? []) state.answers.set(answer.call_id, { answer, by: event.id ?? '' });
      return;
    case 'step-start':
      state.step = openStep(event);
      return;
    case 'text-delta':
      if (state.step) state.step.text += event.text;
      return;
    case 'step-end':
      endStep(state, event);
      return;
    case 'intent':
      state.intents.push(...event.intents);
      return;
    case 'routing':
      state.routing = event.decision;
      return;
    case 'file':
      state.files.push(event.file);
      return;
    case 'annotation':
      state.checks.push(...event.checks);
      return;
    case 'tool-call-start':
      state.calls.push(event.call);
      if (event.call.reads_answer) state.draft?.reads.push({ id: event.call.id });
      return;
    case 'tool-call-wait':
      startWait(state, event);
      return;
    case 'delegation':
      delegateCall(state, event);
      return;
    case 'hand-over':
      state.handedOverTo.push(event.to);
      return;
    case 'tool-call-run':
      state.asked.delete(event.call_id);
      changeCall(state, event.call_id, {
        state: 'running',
        sent_arguments: event.sent_arguments,
        started_at: event.started_at,
        ...(event.read_only && { read_only: true }),
      });
      return;
    case 'tool-call-end':
      state.toolMessageIds.set(event.call.id, event.message_id);
      changeCall(state, event.call.id, event.call);
      for (const read of state.draft?.reads ?? []) if (read.id === event.call.id) read.answer = event.answer;
      if (!event.call.repeats) state.usage = addUsage(state.usage, event.call.delegation?.tokens_used);
      return;
    case 'turn-wait':
      state.status = 'waiting';
      state.activeMs = event.active_ms;
      return;
    case 'turn-interrupt':
      state.status = 'interrupted';
      return;
    case 'turn-end':
      state.status = event.result.status;
      state.result = event.result;
      return;
    case 'reasoning-delta':
    case 'tool-call-delta':
    case 'tool-call-progress':
    case 'file-progress':
    case 'notice':
      return;
  }
}

/** The call works in the turn of a member, or waits with it. Its end has what the member used. */
function delegateCall(state: TurnState, event: Body<'delegation'>) {
  const { call_id, agent, turn_id, open, remote } = event;
  if (open) state.asked.set(call_id, open);
  const status = open ? 'waiting' : 'running';
  changeCall(state, call_id, {
    delegation: { agent, turn_id, ...(remote && { remote }), status },
    ...(open && { state: 'waiting' }),
  });
}

/** Calls of the newest reply that still need an outcome. */
export function openCalls(state: TurnState): ToolCall[] {
  return state.calls.filter((call) => !isEnded(call.state));
}

/** The calls that need an answer: waiting calls, with those of its member in place of a delegation. */
export function askedCalls(state: TurnState): string[] {
  return openCalls(state).flatMap((call) => (call.state === 'waiting' ? (state.asked.get(call.id) ?? [call.id]) : []));
}

/** The answer so far: the text of the open reply if it has any, else of the newest reply. */
export function currentText(state: TurnState): string {
  return state.step?.text.trim() ? state.step.text : state.text;
}

/** The turn's messages. Each reply is followed by the outcomes of its calls in call order. */
export function turnMessages(state: TurnState, maxChars: number): Message[] {
  return state.messages.flatMap((message): Message[] => {
    if (message.role !== 'assistant') return [message];
    const ids = message.tool_calls?.map((request) => request.id) ?? [];
    const ended = state.calls.filter((call) => ids.includes(call.id) && isEnded(call.state));
    return [message, ...ended.map((call) => toolMessage(call, state.toolMessageIds.get(call.id) ?? call.id, maxChars))];
  });
}

function emptyState(): TurnState {
  return {
    turnId: '',
    conversationId: '',
    agent: '',
    status: 'running',
    messages: [],
    calls: [],
    alreadyRan: [],
    responseFormat: undefined,
    rejected: undefined,
    rejections: 0,
    toolMessageIds: new Map(),
    waits: new Map(),
    answers: new Map(),
    asked: new Map(),
    handedOverTo: [],
    members: new Map(),
    step: undefined,
    draft: undefined,
    text: '',
    iterations: 0,
    usage: undefined,
    intents: [],
    files: [],
    checks: [],
    routing: undefined,
    activeMs: 0,
    result: undefined,
  };
}

function startTurn(state: TurnState, event: Body<'turn-start'>): void {
  state.turnId = event.turn_id;
  state.conversationId = event.conversation_id;
  state.agent = event.agent;
  state.messages.push(event.message);
  state.alreadyRan = event.already_ran ?? [];
  state.responseFormat = event.response_format;
}

function openStep({ iteration, message_id: messageId, summary: isSummary = false }: Body<'step-start'>): OpenStep {
  return { iteration, messageId, text: '', isSummary };
}

function startWait(state: TurnState, { call_id, tool, wait, agent }: Body<'tool-call-wait'>): void {
  state.waits.set(call_id, wait);
  // A new question voids any earlier answer.
  state.answers.delete(call_id);
  if (agent !== undefined) state.members.set(call_id, { tool, agent });
  changeCall(state, call_id, { state: 'waiting' });
}

function endStep(state: TurnState, event: Body<'step-end'>): void {
  if (!state.step?.isSummary && !event.carried) state.iterations++;
  if (event.message) state.messages.push(event.message);
  if (event.message?.content.trim()) state.text = event.message.content;
  state.usage = addUsage(state.usage, event.tokens_used);
  state.rejected = event.rejected?.replaced ? undefined : event.rejected;
  if (state.rejected) state.rejections++;
  state.draft = event.draft && { ...event.draft, reads: [] };
  state.step = undefined;
}

function changeCall(state: TurnState, id: string, change: Partial<ToolCall>): void {
  // An ended call never changes, even if its tool reports late.
  state.calls = state.calls.map((call) => (call.id === id && !isEnded(call.state) ? { ...call, ...change } : call));
}
