import type { Message } from '../schema/conversation/message.ts';
import { isObject, type Json, type JsonObject } from '../schema/json.ts';

const KEY = 'model_state';

/** A call as its provider named it. Its index in the list is its index in the message's `tool_calls`. */
export interface KeptCall {
  /** The provider's id; it differs from ours. */
  id: string;
  /** Sent back with the call, such as Gemini's thought signature. */
  extra?: Json;
}

/** Stores state that a provider must get back, such as signatures of its reasoning, in the message's metadata. */
export function keepMetadata(label: string, state: JsonObject): JsonObject {
  return { [KEY]: { label, ...state } };
}

/** Reads the stored state of a message if the same model wrote it. Signatures mean nothing to other models. */
export function readMetadata(label: string, message: Message): JsonObject {
  const state = message.metadata[KEY];
  return isObject(state) && state.label === label ? state : {};
}

/** The metadata of a message without its model's state; the same object if there is none. */
export function withoutModelState(metadata: JsonObject): JsonObject {
  if (metadata[KEY] === undefined) return metadata;
  const { [KEY]: _, ...shown } = metadata;
  return shown;
}

/** The stored calls of a message, in the order of its `tool_calls`. */
export function readCalls(label: string, message: Message): KeptCall[] {
  const { calls } = readMetadata(label, message);
  if (!Array.isArray(calls)) return [];
  return calls.map((call) => {
    const { id, extra } = isObject(call) ? call : {};
    return { id: typeof id === 'string' ? id : '', ...(extra !== undefined && { extra }) };
  });
}

/** The metadata of a message with only some of its calls. Calls are stored by index, so the others are removed. */
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
 * Maps our call id to the provider's id: some providers accept only ids of their own form. If a provider used an id
 * twice, the second call keeps our id, so that the calls stay distinct.
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
