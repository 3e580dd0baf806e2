import type { Json, JsonObject } from '../../schema/json.ts';
import { parsePosition } from '../../schema/position.ts';
import { type EncodedWrite, encodeAttachment, encodeWrite } from '../encode.ts';
import type { StoredAttachment, TurnWrite } from '../store.ts';

/** A write as `holodeck_append` reads it. */
type PostgresWrite = Omit<EncodedWrite, 'events'> & {
  events: { seq: number; offset: number; at: string; type: string; body: string }[];
  endedAt?: string | undefined;
};

export function encodeForPostgres(write: TurnWrite, of: { turnId: string; attempt: number }): PostgresWrite {
  const { events, metadata, ...rest } = encodeWrite({ ...write, attachments: write.attachments?.map(storable) ?? [] });
  return {
    ...rest,
    events: events.map(({ id, ...event }) => {
      const { turn, attempt, seq, offset } = parsePosition(id);
      if (turn !== of.turnId || attempt !== of.attempt) throw new Error(`event ${id} is not of this attempt`);
      return { seq, offset, ...event };
    }),
    ...(metadata && { metadata: storableJson(metadata) }),
    ...(rest.result !== undefined && { endedAt: events.at(-1)?.at }),
  };
}

/** PostgreSQL stores neither NUL nor half of a surrogate pair in a text. A replacement keeps all lengths. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

function storable(attachment: StoredAttachment): StoredAttachment {
  return { ...attachment, message_id: attachment.message_id, text: storableText(attachment.text) };
}

export function encodeStorable(attachment: StoredAttachment): EncodedWrite['attachments'][number] {
  return encodeAttachment(storable(attachment));
}

export function storableJson(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [storableText(key), storableValue(one)]));
}

function storableValue(value: Json): Json {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(storableValue);
  return typeof value === 'object' && value !== null ? storableJson(value) : value;
}
