import { isText } from '../schema/conversation/message.ts';
import type { TurnStatus } from '../schema/conversation/turn.ts';
import type { JsonObject } from '../schema/json.ts';
import type { StoredAttachment, TurnWrite } from './store.ts';

/** A TurnWrite in flat form, with its documents already serialized. */
export interface EncodedWrite {
  events: { id: string; at: string; type: string; body: string }[];
  messages: { id: string; role: string; isText: boolean; timestamp: string; clientId: string | null; body: string }[];
  attachments: { messageId: string; body: string; text: string }[];
  audit: string[];
  status?: TurnStatus;
  result?: string;
  metadata?: JsonObject;
}

export function encodeWrite(write: TurnWrite): EncodedWrite {
  const { events, messages, attachments, audit, status, result, metadata } = write;
  return {
    events: events.map(({ id, ...body }) => ({ id, at: body.at, type: body.type, body: JSON.stringify(body) })),
    messages: messages?.map(encodeMessage) ?? [],
    attachments: attachments?.map(encodeAttachment) ?? [],
    audit: audit?.map((record) => JSON.stringify(record)) ?? [],
    ...(status && { status }),
    ...(result && { result: JSON.stringify(result) }),
    ...(metadata && { metadata }),
  };
}

export function encodeAttachment({
  message_id,
  text,
  ...verdict
}: StoredAttachment): EncodedWrite['attachments'][number] {
  return { messageId: message_id, body: JSON.stringify({ ...verdict, total_chars: text.length }), text };
}

export function encodeMessage(message: NonNullable<TurnWrite['messages']>[number]): EncodedWrite['messages'][number] {
  const { id, role, timestamp } = message;
  const clientId = message.role === 'user' ? (message.client_id ?? id) : null;
  return { id, role, isText: isText(message), timestamp, clientId, body: JSON.stringify(message) };
}
