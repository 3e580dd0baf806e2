import { type TokenUsage, tokenUsage } from '../../schema/conversation/token-usage.ts';
import { isObject, type Json, type JsonObject, parseJson } from '../../schema/json.ts';
import { unreadableReply } from '../model-errors.ts';
import type { Origin } from '../origin.ts';
import type { ToolCallPart } from './tool-call-parts.ts';

interface WireFunction {
  name?: unknown;
  arguments?: Json;
}

interface WireCall {
  index?: unknown;
  id?: unknown;
  function?: WireFunction | null;
  extra_content?: Json;
}

export interface WireDelta {
  content?: Json;
  reasoning_content?: Json;
  reasoning?: Json;
  reasoning_details?: Json;
  refusal?: Json;
  tool_calls?: WireCall[];
  /** The older form of the protocol, before tools existed. */
  function_call?: WireFunction | null;
}

interface WireChoice {
  index?: number;
  delta?: WireDelta | null;
  message?: WireDelta;
  finish_reason?: string | null;
}

/** The fields of a chat completion event that we read. All are optional, because servers leave parts out. */
export interface WireEvent {
  id?: Json;
  model?: Json;
  object?: string;
  error?: Json;
  message?: Json;
  code?: Json;
  choices?: WireChoice[];
  usage?: JsonObject | null;
}

interface WireFault {
  message?: Json | undefined;
  code?: Json | undefined;
  status?: Json | undefined;
}

export function parseEvent(origin: Origin, data: string): WireEvent {
  const event = parseJson(data);
  // The fields are checked where they are read.
  if (isObject(event)) return event as WireEvent;
  throw unreadableReply(origin, data);
}

export function describeFault(event: WireEvent): { status: number | undefined; text: string } {
  const fault: WireFault = isObject(event.error)
    ? event.error
    : { message: event.error ?? event.message, code: event.code };
  const status = Number(fault.code ?? fault.status);
  return { status: Number.isInteger(status) ? status : undefined, text: JSON.stringify(fault) };
}

/** The calls of a delta, including the older single `function_call`. */
export function readCallParts({ tool_calls: calls, function_call: legacy }: WireDelta): ToolCallPart[] {
  if (Array.isArray(calls))
    return calls.map((call) => ({
      index: typeof call.index === 'number' ? call.index : undefined,
      id: typeof call.id === 'string' ? call.id : undefined,
      ...readFunction(call.function),
      extra: call.extra_content,
    }));
  return isObject(legacy) ? [{ index: 0, ...readFunction(legacy) }] : [];
}

function readFunction(called: WireFunction | null | undefined): Pick<ToolCallPart, 'name' | 'arguments'> {
  const { name, arguments: args } = called ?? {};
  return {
    name: typeof name === 'string' ? name : undefined,
    arguments: typeof args === 'object' && args !== null ? JSON.stringify(args) : (args?.toString() ?? undefined),
  };
}

export function readContent({ content, refusal }: WireDelta): string {
  return typeof content === 'string' ? content : joinParts(content ?? refusal);
}

function joinParts(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part) => (isObject(part) && typeof part.text === 'string' ? part.text : '')).join('');
}

/**
 * Some providers leave reasoning out of the completion but not out of the total, so completion is total minus prompt.
 */
export function readUsage(usage: JsonObject): TokenUsage | undefined {
  const prompt = count(usage.prompt_tokens);
  const completion = count(usage.completion_tokens);
  if (prompt === undefined && completion === undefined) return undefined;
  const total = count(usage.total_tokens) ?? 0;
  const read = cachedTokens(usage);
  return tokenUsage(prompt ?? 0, Math.max(completion ?? 0, total - (prompt ?? 0)), { read });
}

/** OpenAI reports cached tokens in details, DeepSeek next to the prompt. */
function cachedTokens({ prompt_tokens_details: details, prompt_cache_hit_tokens: hits }: JsonObject) {
  return count(isObject(details) ? details.cached_tokens : hits);
}

function count(value: Json | undefined): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;
}
