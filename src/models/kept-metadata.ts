import { isObject, type JsonObject } from '../schema/json.ts';
import type { Message } from '../schema/message.ts';

const KEY = 'model_state';

/** Wraps what a provider wants to see again (signatures of its thoughts, say) for the assistant message's metadata. */
export function keepMetadata(label: string, state: JsonObject): JsonObject {
  return { [KEY]: { label, ...state } };
}

/** What was kept with a message, if the same model made it: signatures of one model mean nothing to another. */
export function readMetadata(label: string, message: Message): JsonObject {
  const state = message.metadata[KEY];
  return isObject(state) && state.label === label ? state : {};
}
