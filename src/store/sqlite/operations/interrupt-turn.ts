import type { Event, EventBody } from '../../../schema/event.ts';
import type { ToolMessage } from '../../../schema/message.ts';
import { newUlid } from '../../../schema/new-ulid.ts';
import { formatPosition } from '../../../schema/position.ts';
import type { ToolCall } from '../../../schema/tool-call.ts';
import type { AuditRecord, TurnLease } from '../../store.ts';
import { encodeWrite } from '../encode.ts';
import type { EventRow } from '../rows.ts';
import type { Sql } from '../sql.ts';
import { appendWrite } from './append-write.ts';
import { findLeased } from './write-turn.ts';

/** A turn that the store holds as running. */
export interface RunningTurn {
  number: number;
  id: string;
  conversation: number;
  conversation_id: string;
  user_id: string;
  attempt: number;
}

export interface LeasedTurn {
  userId: string;
  lease: TurnLease;
}

export function interruptLeased(sql: Sql, { userId, lease, at }: LeasedTurn & { at: string }): void {
  const { turnId: id, conversationId: conversation_id, attempt } = lease;
  interruptTurn(sql, { ...findLeased(sql, { userId, lease }), id, conversation_id, user_id: userId, attempt }, at);
}

/** Nobody runs it any more: what was running is unknown, and the turn can be continued. */
export function interruptTurn(sql: Sql, turn: RunningTurn, at: string): void {
  const ended = findRunningCalls(sql, turn).map((call) => ({ call: toUnknown(call), message_id: newUlid() }));
  const bodies: EventBody[] = [
    ...ended.map((end) => ({ type: 'tool-call-end' as const, ...end })),
    { type: 'turn-interrupt' },
  ];
  const write = encodeWrite({
    events: placeEvents(sql, turn, bodies, at),
    messages: ended.map(({ call, message_id }) => toMessage(call, message_id, at)),
    audit: ended.map(({ call }) => toAudit(turn, call, at)),
    status: 'interrupted',
  });
  const { id: turnId, number, attempt, conversation, user_id: userId } = turn;
  appendWrite(sql, { turnId, turn: number, attempt, conversation, userId }, write);
}

const CALL_EVENTS = `SELECT body FROM events WHERE turn = ?
  AND type IN ('tool-call-start', 'tool-call-run', 'tool-call-end') ORDER BY attempt, seq, text_offset`;

/** The calls that began and have no end, with what was really sent. */
function findRunningCalls(sql: Sql, turn: RunningTurn): ToolCall[] {
  const started = new Map<string, ToolCall>();
  const running = new Map<string, ToolCall>();
  for (const row of sql.all<EventRow>(CALL_EVENTS, turn.number)) {
    const event: EventBody = JSON.parse(row.body);
    if (event.type === 'tool-call-start') started.set(event.call.id, event.call);
    if (event.type === 'tool-call-end') running.delete(event.call.id);
    if (event.type !== 'tool-call-run') continue;
    const call = started.get(event.call_id);
    const { sent_arguments, started_at } = event;
    if (call) running.set(call.id, { ...call, sent_arguments, started_at });
  }
  return [...running.values()];
}

function toUnknown(call: ToolCall): ToolCall {
  const message = `${call.name} was running when this turn was cut off. Nobody knows whether it took effect; look before you do it again.`;
  return { ...call, state: 'unknown', error: { error_type: 'ToolInvocationError', message } };
}

function toMessage({ id: tool_call_id, name, state, error }: ToolCall, id: string, at: string): ToolMessage {
  const content = JSON.stringify({ error });
  return { id, role: 'tool', content, tool_call_id, timestamp: at, metadata: { tool: name, state } };
}

function toAudit(turn: RunningTurn, call: ToolCall, at: string): AuditRecord {
  return {
    at,
    user_id: turn.user_id,
    conversation_id: turn.conversation_id,
    turn_id: turn.id,
    call_id: call.id,
    tool: call.name,
    action: 'call',
    arguments: call.sent_arguments ?? call.arguments,
    outcome: `${call.state}: ${call.error?.error_type}`,
  };
}

const LAST_POSITION = `SELECT ifnull(max(seq), 0) AS seq, ifnull(max(text_offset), 0) AS text_offset
  FROM events WHERE turn = ? AND attempt = ?`;

/**
 * Places that nobody was ever told about: after the last seq, at the text that was kept. One seq is left free, because
 * the start of a step may have been told and not yet written.
 */
function placeEvents(sql: Sql, { number, id, attempt }: RunningTurn, bodies: EventBody[], at: string): Event[] {
  const last = sql.one<{ seq: number; text_offset: number }>(LAST_POSITION, number, attempt);
  const offset = last?.text_offset ?? 0;
  const seq = (last?.seq ?? 0) + 2;
  return bodies.map((body, index) => ({
    ...body,
    id: formatPosition({ turn: id, attempt, seq: seq + index, offset }),
    at,
  }));
}
