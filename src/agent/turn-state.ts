import type { CallAnswer, CallWait, EventBody, EventOf } from '../schema/event.ts';
import type { FileVerdict } from '../schema/file.ts';
import type { Intent } from '../schema/intent.ts';
import type { Message } from '../schema/message.ts';
import { addUsage, type TokenUsage } from '../schema/token-usage.ts';
import { isEnded, type ToolCall } from '../schema/tool-call.ts';
import type { NumberCheck, TurnResult, TurnStatus } from '../schema/turn.ts';
import { toolMessage } from './tool-message.ts';

/** A model reply that has begun and has not ended. */
interface OpenStep {
  iteration: number;
  messageId: string;
  text: string;
  isSummary: boolean;
}

/** Everything that is known of a turn: nothing but its events, added up. */
export interface TurnState {
  turnId: string;
  conversationId: string;
  agent: string;
  status: TurnStatus;
  messages: Message[];
  calls: ToolCall[];
  /** Calls of the turns that left the path for this one, without those that it carries itself. */
  alreadyRan: readonly ToolCall[];
  /** Call id → the id of the message that holds its outcome. */
  toolMessageIds: Map<string, string>;
  waits: Map<string, CallWait>;
  answers: Map<string, CallAnswer>;
  step: OpenStep | undefined;
  /** Text of the newest reply that had any. */
  text: string;
  /** Ended model replies, without the summary at the limit. */
  iterations: number;
  usage: TokenUsage | undefined;
  intents: Intent[];
  files: FileVerdict[];
  checks: NumberCheck[];
  routing: EventOf<'routing'>['decision'] | undefined;
  /** Time spent before a wait; waiting itself does not count. */
  activeMs: number;
  result: TurnResult | undefined;
}

/** Adds up the stored events of one turn, over all its attempts. */
export function foldEvents(events: Iterable<EventBody>): TurnState {
  const state = emptyState();
  for (const event of events) applyEvent(state, event);
  return state;
}

/** One more event: the loop applies what it is about to write, and recovery what it finds written. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one flat switch over one union
export function applyEvent(state: TurnState, event: EventBody): void {
  switch (event.type) {
    case 'turn-start':
      state.turnId = event.turn_id;
      state.conversationId = event.conversation_id;
      state.agent = event.agent;
      state.messages.push(event.message);
      state.alreadyRan = event.already_ran ?? [];
      return;
    case 'turn-resume':
      // The unfinished reply is asked for again, so what was heard of it no longer stands.
      state.step = undefined;
      state.status = 'running';
      for (const answer of event.answers ?? []) state.answers.set(answer.call_id, answer);
      return;
    case 'step-start':
      state.step = {
        iteration: event.iteration,
        messageId: event.message_id,
        text: '',
        isSummary: event.summary ?? false,
      };
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
      return;
    case 'tool-call-wait':
      state.waits.set(event.call_id, event.wait);
      // A new question voids whatever was answered before.
      state.answers.delete(event.call_id);
      changeCall(state, event.call_id, { state: 'waiting' });
      return;
    case 'tool-call-run':
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
    case 'tool-call-progress':
    case 'file-progress':
    case 'notice':
      return;
  }
}

/** Calls of the newest reply that still need an outcome. */
export function openCalls(state: TurnState): ToolCall[] {
  return state.calls.filter((call) => !isEnded(call.state));
}

/** The text that stands so far: the open reply's if it has any, else the newest one's. */
export function currentText(state: TurnState): string {
  return state.step?.text.trim() ? state.step.text : state.text;
}

/** The turn's messages, each reply followed by the outcomes of its calls in call order. */
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
    toolMessageIds: new Map(),
    waits: new Map(),
    answers: new Map(),
    step: undefined,
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

function endStep(state: TurnState, event: Extract<EventBody, { type: 'step-end' }>): void {
  if (!state.step?.isSummary && !event.carried) state.iterations++;
  if (event.message) state.messages.push(event.message);
  if (event.message?.content.trim()) state.text = event.message.content;
  state.usage = addUsage(state.usage, event.tokens_used);
  state.step = undefined;
}

function changeCall(state: TurnState, id: string, change: Partial<ToolCall>): void {
  // What has ended stays as it is, whatever a late tool still says.
  state.calls = state.calls.map((call) => (call.id === id && !isEnded(call.state) ? { ...call, ...change } : call));
}
