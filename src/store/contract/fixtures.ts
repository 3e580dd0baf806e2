import type { Event, EventBody } from '../../schema/conversation/event.ts';
import type { AssistantMessage, Message, ToolMessage, UserMessage } from '../../schema/conversation/message.ts';
import type { ToolCall } from '../../schema/conversation/tool-call.ts';
import type { TurnResult } from '../../schema/conversation/turn.ts';
import type { JsonObject } from '../../schema/json.ts';
import { newUlid } from '../../schema/new-ulid.ts';
import { User } from '../../schema/user.ts';
import type { AuditRecord, BeginTurn, StoredAttachment } from '../store.ts';

export const NOW = '2026-01-05T10:00:00.000Z';
export const ANN = User.parse({ id: 'a0000000-0000-4000-8000-000000000001' });
export const BOB = User.parse({ id: 'b0000000-0000-4000-8000-000000000002' });
export const DAY_MS = 24 * 60 * 60 * 1000;

const MESSAGES = {
  user: (): UserMessage => ({ id: newUlid(), role: 'user', content: 'buy milk', timestamp: NOW, metadata: {} }),
  assistant: (): AssistantMessage => ({
    id: newUlid(),
    role: 'assistant',
    content: 'Done',
    timestamp: NOW,
    metadata: {},
  }),
  /** A reply that only calls a tool. */
  call: (): AssistantMessage => ({
    id: newUlid(),
    role: 'assistant',
    content: '\n',
    tool_calls: [{ id: 'call 1', name: 'add_task', arguments: { title: 'milk' } }],
    timestamp: NOW,
    metadata: {},
  }),
  tool: (): ToolMessage => ({
    id: newUlid(),
    role: 'tool',
    content: '{}',
    tool_call_id: 'call 1',
    timestamp: NOW,
    metadata: {},
  }),
};

export function messageOf(kind: keyof typeof MESSAGES, more: { timestamp?: string } = {}): Message {
  return { ...MESSAGES[kind](), ...more };
}

export function attachmentOf(filename: string, text: string): StoredAttachment {
  return { message_id: newUlid(), filename, mime_type: 'text/plain', verdict: 'read', detail: '1 line', text };
}

/** An event of a turn at `<attempt>.<seq>.<offset>`. */
export function eventOf({ turnId }: { turnId: string }, place: string, body: EventBody = NOTICE): Event {
  return { ...body, id: `${turnId}.${place}`, at: NOW };
}
const NOTICE: EventBody = { type: 'notice', text: 'something happened' };

export interface NewTurn extends Partial<Omit<BeginTurn, 'write' | 'isNew'>> {
  metadata?: JsonObject;
  /** The client's id of the user message. */
  clientId?: string;
  content?: string;
}

/** The input of beginTurn; a new conversation unless one is named. */
export function newTurn({ metadata, clientId, content = 'buy milk', ...options }: NewTurn = {}) {
  const { turnId = newUlid(), agent = 'todo', now = NOW } = options;
  const conversationId = options.conversationId ?? newUlid();
  const message = { ...MESSAGES.user(), content, timestamp: now, ...(clientId && { client_id: clientId }) };
  const start: EventBody = { type: 'turn-start', turn_id: turnId, conversation_id: conversationId, agent, message };
  const write = { events: [eventOf({ turnId }, '1.1.0', start)], messages: [message], ...(metadata && { metadata }) };
  return { ...options, agent, turnId, conversationId, isNew: options.conversationId === undefined, write, now };
}

/** The write that ends a turn with an answer. */
export function endTurn(turn: { turnId: string; now: string }) {
  const message = { ...MESSAGES.assistant(), timestamp: turn.now };
  const result: TurnResult = {
    status: 'completed',
    finish_reason: 'completed',
    content: message.content,
    iterations: 1,
    tool_calls: [],
    sources: [],
    suggestions: [],
    partial_results: false,
    messages: [message],
    execution_time_ms: 5,
  };
  const events = [eventOf(turn, '1.8.0', { type: 'turn-end', result })];
  const { messages: _, ...kept } = result;
  return { events, messages: [message], status: 'completed' as const, result: kept };
}

export function toolCall(): ToolCall {
  return { id: 'call 1', name: 'add_task', arguments: { title: 'milk' }, state: 'pending' };
}

export type CallStep = 'start' | 'delta' | 'wait' | 'run' | 'end';

const STEPS: Record<CallStep, () => EventBody> = {
  start: () => ({ type: 'tool-call-start', call: toolCall() }),
  delta: () => ({ type: 'text-delta', message_id: newUlid(), text: 'hello' }),
  wait: () => ({ type: 'tool-call-wait', call_id: 'call 1', tool: 'add_task', wait: { kind: 'client' } }),
  run: () => ({
    type: 'tool-call-run',
    call_id: 'call 1',
    tool: 'add_task',
    sent_arguments: { title: 'milk', user_id: ANN.id },
    started_at: NOW,
    overridden: [],
  }),
  end: () => ({
    type: 'tool-call-end',
    call: { ...toolCall(), state: 'completed', result: 'ok' },
    message_id: newUlid(),
  }),
};

/** The events of one call in attempt 1, from seq 2 on; a delta keeps the seq and moves the offset by five. */
export function callEvents(turn: { turnId: string }, steps: CallStep[]): Event[] {
  let seq = 1;
  let offset = 0;
  return steps.map((step) => {
    if (step === 'delta') offset += 5;
    else seq += 1;
    return eventOf(turn, `1.${seq}.${offset}`, STEPS[step]());
  });
}

/** The audit record of the fixture's call. */
export function auditOf(turn: { turnId: string; conversationId: string }, user: User): AuditRecord {
  return {
    at: NOW,
    user_id: user.id,
    conversation_id: turn.conversationId,
    turn_id: turn.turnId,
    call_id: 'call 1',
    tool: 'add_task',
    action: 'call',
    arguments: { title: 'milk' },
    outcome: 'completed',
  };
}
