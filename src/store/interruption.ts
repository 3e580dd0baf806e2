import { AppError } from '../errors.ts';
import type { Event, EventBody } from '../schema/conversation/event.ts';
import type { ToolMessage } from '../schema/conversation/message.ts';
import type { ToolCall } from '../schema/conversation/tool-call.ts';
import { formatPosition, type Position } from '../schema/position.ts';
import type { AuditRecord, TurnWrite } from './store.ts';

/** A turn that is stored as running but has no runner any more. */
export interface LostTurn {
  turnId: string;
  conversationId: string;
  userId: string;
  attempt: number;
}

export interface Interruption {
  turn: LostTurn;
  /** The turn's stored events of all attempts, in order. Only those of tool calls are needed. */
  events: Iterable<EventBody>;
  /** The highest stored seq and offset of the turn's last attempt; 0 when it has no event. */
  last: Pick<Position, 'seq' | 'offset'>;
  at: string;
  newId: () => string;
}

/**
 * Returns the write that interrupts a turn: every running call becomes `unknown`, and the turn can be continued. The
 * same rules hold in every store.
 */
export function interruptionOf({ turn, events, last, at, newId }: Interruption): TurnWrite {
  const ended = findRunningCalls(events).map((call) => ({ call: toUnknown(call), message_id: newId() }));
  const bodies: EventBody[] = [
    ...ended.map((end) => ({ type: 'tool-call-end' as const, ...end })),
    { type: 'turn-interrupt' },
  ];
  return {
    events: placeEvents(bodies, { turn, last, at }),
    messages: ended.map(({ call, message_id }) => toMessage(call, message_id, at)),
    audit: ended.map(({ call }) => toAudit(turn, call, at)),
    status: 'interrupted',
  };
}

/**
 * Returns the calls that began to run and have no end, with the arguments that were sent. One that was resumable once, or
 * has a turn or a task of a member, stays open.
 */
function findRunningCalls(events: Iterable<EventBody>): ToolCall[] {
  const started = new Map<string, ToolCall>();
  const running = new Map<string, ToolCall>();
  const open = new Set<string>();
  for (const event of events) {
    if (event.type === 'tool-call-start') started.set(event.call.id, event.call);
    if (event.type === 'tool-call-end') running.delete(event.call.id);
    if (event.type === 'delegation') open.add(event.call_id);
    if (event.type !== 'tool-call-run') continue;
    if (event.resumable) open.add(event.call_id);
    const call = started.get(event.call_id);
    const { sent_arguments, started_at } = event;
    if (call) running.set(call.id, { ...call, sent_arguments, started_at });
  }
  return [...running.values()].filter(({ id }) => !open.has(id));
}

function toUnknown(call: ToolCall): ToolCall {
  const message = `${call.name} was running when this turn was interrupted. It is unknown whether it took effect; check before you call it again.`;
  return { ...call, state: 'unknown', error: { error_type: 'ToolInvocationError', message } };
}

function toMessage({ id: tool_call_id, name, state, error }: ToolCall, id: string, at: string): ToolMessage {
  const content = JSON.stringify({ error });
  return { id, role: 'tool', content, tool_call_id, timestamp: at, metadata: { tool: name, state } };
}

function toAudit(turn: LostTurn, call: ToolCall, at: string): AuditRecord {
  return {
    at,
    user_id: turn.userId,
    conversation_id: turn.conversationId,
    turn_id: turn.turnId,
    call_id: call.id,
    tool: call.name,
    action: 'call',
    arguments: call.sent_arguments ?? call.arguments,
    outcome: `${call.state}: ${call.error?.error_type}`,
  };
}

/**
 * Gives the events positions that no client has received: after the last seq, at the stored end of the text. One seq
 * stays free, because the start of a step may have been sent and not yet written.
 */
function placeEvents(bodies: EventBody[], { turn, last, at }: Pick<Interruption, 'turn' | 'last' | 'at'>): Event[] {
  const { turnId, attempt } = turn;
  return bodies.map((body, index) => ({
    ...body,
    id: formatPosition({ turn: turnId, attempt, seq: last.seq + 2 + index, offset: last.offset }),
    at,
  }));
}

/** The fault of a write by a process that is no longer the turn's runner. */
export function takenOver(): AppError {
  return new AppError('turn_taken_over', {
    detail: 'This turn can no longer be written here: it has ended or continues in another process.',
  });
}
