import { CHARS_PER_TOKEN, PICTURE_TOKENS } from '../../../schema/conversation/token-usage.ts';
import { isObject, type JsonObject, parseJson } from '../../../schema/json.ts';
import type { ModelRequest } from '../../model.ts';

/** The facts of a model as /api/show describes it; absent if the server did not say. */
export interface ShownModel {
  contextTokens?: number;
}

/** Context windows that local models were loaded with, by endpoint and model. The process has one instance. */
export type Windows = Map<string, number>;

const FIRST_STEP = 4_096;
/** The estimate is rough, so a prompt may fill nine tenths of a window. */
const FILLED = 0.9;
const REPLY_TOKENS = 1_024;

export interface WindowNeed {
  promptTokens: number;
  /** `max_tokens`, if the file sets it. */
  replyTokens: number | undefined;
  /** The largest window that is allowed. */
  most: number;
  /** The window that the model was last loaded with. */
  current: number;
}

/**
 * The window for a prompt, in steps of 4,096 × 2ⁿ and never smaller than the current one: another size loads the model
 * again. Undefined if the prompt does not fit into the largest window.
 */
export function chooseWindow({ promptTokens, replyTokens = REPLY_TOKENS, most, current }: WindowNeed) {
  if (promptTokens > most * FILLED) return undefined;
  let step = FIRST_STEP;
  while (step < most && promptTokens + replyTokens > step * FILLED) step *= 2;
  return Math.max(Math.min(step, most), Math.min(current, most));
}

/** Our own count of a prompt, including its tools. */
export function estimatePrompt({ system, messages, tools, responseFormat, pictures }: ModelRequest): number {
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? (message.tool_calls ?? []) : []));
  const texts = messages.reduce((sum, { content }) => sum + content.length, system.length);
  const shown = [...(pictures?.values() ?? [])].reduce((sum, list) => sum + list.length, 0);
  const chars = texts + JSON.stringify([tools, calls, responseFormat]).length;
  return Math.ceil(chars / CHARS_PER_TOKEN) + shown * PICTURE_TOKENS;
}

/** Reads a reply of /api/show. */
export function readShown(text: string): ShownModel {
  const body = parseJson(text);
  if (!isObject(body)) return {};
  const contextTokens = isObject(body.model_info) ? findContext(body.model_info) : undefined;
  return { ...(contextTokens !== undefined && { contextTokens }) };
}

function findContext(info: JsonObject): number | undefined {
  const value = info[`${info['general.architecture']}.context_length`];
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined;
}
