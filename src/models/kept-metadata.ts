import { isObject, type Json, type JsonObject } from '../schema/json.ts';
import type { Message } from '../schema/message.ts';

const KEY = 'model_state';

/** A call as its provider named it. Its place in the list is its place in the message's `tool_calls`. */
export interface KeptCall {
  /** The provider's id; ours is another one. */
  id: string;
  /** Sent back with the call, such as Gemini's thought signature. */
  extra?: Json;
}

/** Wraps what a provider wants to see again (signatures of its thoughts, say) for the assistant message's metadata. */
export function keepMetadata(label: string, state: JsonObject): JsonObject {
  return { [KEY]: { label, ...state } };
}

/** What was kept with a message, if the same model made it: signatures of one model mean nothing to another. */
export function readMetadata(label: string, message: Message): JsonObject {
  const state = message.metadata[KEY];
  return isObject(state) && state.label === label ? state : {};
}

/** The metadata of a message for everybody but its model; the same object when nothing was kept. */
export function withoutModelState(metadata: JsonObject): JsonObject {
  if (metadata[KEY] === undefined) return metadata;
  const { [KEY]: _, ...shown } = metadata;
  return shown;
}

/** The kept calls of a message, in the order of its `tool_calls`. */
export function readCalls(label: string, message: Message): KeptCall[] {
  const { calls } = readMetadata(label, message);
  if (!Array.isArray(calls)) return [];
  return calls.map((call) => {
    const { id, extra } = isObject(call) ? call : {};
    return { id: typeof id === 'string' ? id : '', ...(extra !== undefined && { extra }) };
  });
}

/** The metadata of a message that keeps only some of its calls: calls are kept by place, so the others are taken out. */
export function keepCalls(metadata: JsonObject, isKept: (index: number) => boolean): JsonObject {
  const state = metadata[KEY];
  if (!isObject(state)) return metadata;
  const { calls, parts } = state;
  let place = 0;
  const isKeptPart = (part: Json) => !isObject(part) || part.type !== 'call' || isKept(place++);
  return {
    ...metadata,
    [KEY]: {
      ...state,
      ...(Array.isArray(calls) && { calls: calls.filter((_, index) => isKept(index)) }),
      ...(Array.isArray(parts) && { parts: parts.filter(isKeptPart) }),
    },
  };
}

/**
 * Our call id → the id that the provider knows the call by. Some providers accept only ids of their own form. An id that
 * a provider used twice would confuse two calls, so the second one keeps our id.
 */
export function findWireIds(label: string, messages: readonly Message[]): Map<string, string> {
  const ids = new Map<string, string>();
  const used = new Set<string>();
  for (const message of messages) {
    if (message.role !== 'assistant' || !message.tool_calls) continue;
    const kept = readCalls(label, message);
    for (const [index, { id }] of message.tool_calls.entries()) {
      const own = kept[index]?.id;
      const wireId = own && !used.has(own) ? own : id;
      used.add(wireId);
      ids.set(id, wireId);
    }
  }
  return ids;
}
