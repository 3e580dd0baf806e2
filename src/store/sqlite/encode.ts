import type { JsonObject } from '../../schema/json.ts';
import type { TurnStatus } from '../../schema/turn.ts';
import type { TurnWrite } from '../store.ts';

/** A TurnWrite as it crosses to the writer's thread: flat, its documents already text. */
export interface EncodedWrite {
  events: { id: string; at: string; type: string; body: string }[];
  messages: { id: string; role: string; timestamp: string; body: string }[];
  audit: string[];
  status?: TurnStatus;
  metadata?: JsonObject;
}

export function encodeWrite({ events, messages, audit, status, metadata }: TurnWrite): EncodedWrite {
  return {
    events: events.map(({ id, ...body }) => ({ id, at: body.at, type: body.type, body: JSON.stringify(body) })),
    messages: messages?.map(encodeMessage) ?? [],
    audit: audit?.map((record) => JSON.stringify(record)) ?? [],
    ...(status && { status }),
    ...(metadata && { metadata }),
  };
}

function encodeMessage(message: NonNullable<TurnWrite['messages']>[number]): EncodedWrite['messages'][number] {
  return { id: message.id, role: message.role, timestamp: message.timestamp, body: JSON.stringify(message) };
}
