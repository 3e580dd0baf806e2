import { type Clock, systemClock } from '../clock.ts';
import type { TokenUsage } from '../schema/conversation/token-usage.ts';
import type { JsonObject } from '../schema/json.ts';
import type { Model, ModelChunk, ModelFinish, ModelRequest, StreamOptions } from './model.ts';
import { waitFor } from './wait.ts';

/** A tool call as a test writes it. Text in `arguments` is sent unchanged, even if it is not JSON. */
interface ScriptedCall {
  name: string;
  arguments?: JsonObject | string;
  id?: string;
}

interface ScriptedParts {
  /** Wait before the first chunk. */
  delayMs?: number;
  reasoning?: string;
  /** Each element of a list is sent as its own chunk. */
  text?: string | string[];
  calls?: ScriptedCall[];
  finish?: ModelFinish;
  usage?: TokenUsage;
  /** Sent unchanged in place of the parts above; without a `finish` the reply simply ends. */
  chunks?: ModelChunk[];
  /** Thrown after all chunks were sent. */
  error?: unknown;
  /** Sends nothing more until the signal aborts. */
  hang?: boolean;
}

export type ScriptedReply = string | ScriptedParts | ScriptedFunction;
export type ScriptedFunction = (request: ModelRequest) => ScriptedReply | Promise<ScriptedReply>;

export interface ScriptedModel extends Model {
  /** All requests, in order. */
  readonly requests: ModelRequest[];
}

/** Plays a list of replies, one per request. A single function answers every request. */
export function createScriptedModel(
  replies: readonly ScriptedReply[] | ScriptedFunction,
  options: { clock?: Clock; label?: string } = {},
): ScriptedModel {
  const { clock = systemClock, label = 'scripted' } = options;
  const requests: ModelRequest[] = [];

  async function* stream(request: ModelRequest, { signal }: StreamOptions): AsyncGenerator<ModelChunk> {
    signal.throwIfAborted();
    requests.push({ ...request, messages: [...request.messages], tools: [...request.tools] });
    const position = requests.length;
    const parts = await resolveReply(typeof replies === 'function' ? replies : replies[position - 1], request);
    if (!parts) throw new Error(`The script holds no reply for request ${position}`);
    if (parts.delayMs !== undefined) await waitFor({ ms: parts.delayMs, clock, signal });
    for (const chunk of parts.chunks ?? writeChunks(parts, position)) {
      signal.throwIfAborted();
      yield chunk;
    }
    if (parts.error !== undefined) throw parts.error;
    if (parts.hang) await waitFor({ ms: Number.POSITIVE_INFINITY, clock, signal });
  }

  return { label, requests, stream };
}

async function resolveReply(
  reply: ScriptedReply | undefined,
  request: ModelRequest,
): Promise<ScriptedParts | undefined> {
  let current = reply;
  while (typeof current === 'function') current = await current(request);
  return typeof current === 'string' ? { text: current } : current;
}

function writeChunks(parts: ScriptedParts, position: number): ModelChunk[] {
  const chunks: ModelChunk[] = [];
  if (parts.reasoning) chunks.push({ type: 'reasoning', text: parts.reasoning });
  for (const text of [parts.text ?? []].flat()) chunks.push({ type: 'text', text });
  if (parts.error !== undefined || parts.hang) return chunks;
  for (const [index, call] of (parts.calls ?? []).entries())
    chunks.push(writeCall(call, `call-${position}-${index + 1}`));
  const reason = parts.finish ?? (parts.calls?.length ? 'tool-calls' : 'stop');
  chunks.push({ type: 'finish', reason, ...(parts.usage && { usage: parts.usage }) });
  return chunks;
}

function writeCall(call: ScriptedCall, id: string): ModelChunk {
  const args = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments ?? {});
  return { type: 'tool-call', id: call.id ?? id, name: call.name, arguments: args };
}
