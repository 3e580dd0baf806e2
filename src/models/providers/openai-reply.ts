import type { TokenUsage } from '../../schema/conversation/token-usage.ts';
import { isObject, type Json, type JsonObject } from '../../schema/json.ts';
import { keepMetadata } from '../kept-metadata.ts';
import type { ModelChunk, ModelFinish, ReplyOrigin } from '../model.ts';
import { badReply, explainReported } from '../model-errors.ts';
import type { Origin } from '../origin.ts';
import { createReplyMeter } from '../reply-meter.ts';
import { describeFault, readCallParts, readContent, readUsage, type WireDelta, type WireEvent } from './openai-wire.ts';
import { createThinkTags } from './think-tags.ts';
import { type CollectedCall, createCallCollector } from './tool-call-parts.ts';

const MAX_ORIGIN_CHARS = 200;

export interface ReplyOptions {
  origin: Origin;
  label: string;
  date: () => Date;
  newId: () => string;
  /** True if the request ends with tool results: the model may then have nothing to add. */
  mayBeEmpty: boolean;
  /** Text, reasoning and arguments beyond this end the reply as `length`. */
  maxChars?: number | undefined;
  /** Reads the text of a line. */
  parse(origin: Origin, data: string): WireEvent;
}

export interface OpenAiReply {
  /** Reads the content of a data line. Throws if it is not part of a reply. */
  read(data: string): void;
  /** Returns the chunks that arrived since the last call. Neighbouring text of one kind becomes one chunk. */
  takeChunks(): ModelChunk[];
  /** True once the reply has ended; only the usage may follow. */
  isFinished(): boolean;
  /** Id and model of this reply, as reported by the provider. */
  response: ReplyOrigin;
  /** True if nothing that follows will be read. */
  isDone(): boolean;
  /** True if the reply exceeded its limit; the rest is not read. */
  isCut(): boolean;
  /** Returns held-back text, the tool calls and the end. Throws if the reply has no end or no content. */
  finish(): ModelChunk[];
}

/** Reads the stream of a chat completion in all variants that servers of this protocol send. */
export function createOpenAiReply(options: ReplyOptions): OpenAiReply {
  const { origin } = options;
  const calls = createCallCollector(options.newId);
  const fields = createReasoningFields();
  const meter = createReplyMeter(options.maxChars);
  const text = createTextBuffer();
  const content = createThinkTags(text.append);
  let reason: string | undefined;
  let usage: TokenUsage | undefined;
  const response: ReplyOrigin = {};
  let isDone = false;

  function readDelta(delta: WireDelta): void {
    const reasoning = delta.reasoning_content ?? delta.reasoning;
    if (typeof reasoning === 'string') text.append('reasoning', meter.take(reasoning));
    meter.count(fields.add(delta));
    content.push(meter.take(readContent(delta)));
    for (const part of readCallParts(delta)) {
      if (meter.isOver()) return;
      meter.count(part.name?.length ?? 0);
      const piece = part.arguments ? meter.take(part.arguments) : '';
      const call = calls.add({ ...part, ...(part.arguments && { arguments: piece }) });
      text.appendPart({ type: 'call-part', ...call, text: piece });
    }
  }

  return {
    read(data) {
      if (meter.isOver()) return;
      if (data === '[DONE]') {
        isDone = true;
        return;
      }
      const event = options.parse(origin, data);
      if (event.error || event.object === 'error') throw explainReported(origin, describeFault(event), options.date());
      noteOrigin(response, event);
      // We request a single choice; a gateway that sends several numbers them.
      const choice = event.choices?.find(({ index = 0 }) => index === 0);
      const delta = choice?.delta ?? choice?.message;
      if (delta) readDelta(delta);
      if (choice?.finish_reason) reason = choice.finish_reason;
      if (meter.isOver()) reason = 'length';
      if (event.usage) usage = readUsage(event.usage) ?? usage;
    },
    response,
    takeChunks: text.take,
    isFinished: () => reason !== undefined,
    isDone: () => isDone || meter.isOver() || (reason !== undefined && usage !== undefined),
    isCut: meter.isOver,
    finish() {
      content.end();
      const made = calls.finish();
      const isEmpty = !text.hasContent() && made.length === 0;
      if (reason === undefined && text.isUnused() && made.length === 0)
        throw badReply(origin, 'sent an empty reply. Please try again');
      if (reason === undefined || reason === 'error')
        throw badReply(origin, 'stopped in the middle of its reply. Please try again');
      if (made.some((call) => call.name === '')) throw badReply(origin, 'asked for a tool without naming it');
      const finish = mapReason(reason, made.length > 0);
      const mustHaveContent = (finish === 'stop' && !options.mayBeEmpty) || finish === 'tool-calls';
      if (mustHaveContent && isEmpty) throw badReply(origin, 'sent an empty reply. Please try again');
      const state = collectState(made, fields.take());
      const metadata = state && keepMetadata(options.label, state);
      return [...text.take(), ...writeEnd(made, { reason: finish, usage, metadata })];
    },
  };
}

function createTextBuffer() {
  let chunks: ModelChunk[] = [];
  let hasContent = false;
  let isUnused = true;
  return {
    append(type: 'text' | 'reasoning', text: string) {
      if (text === '') return;
      isUnused = false;
      const last = chunks.at(-1);
      if (last?.type === type) last.text += text;
      else chunks.push({ type, text });
      if (type === 'text' && !hasContent) hasContent = /\S/.test(text);
    },
    appendPart(part: Extract<ModelChunk, { type: 'call-part' }>) {
      if (part.name !== '' && part.text !== '') chunks.push(part);
    },
    take() {
      const taken = chunks;
      chunks = [];
      return taken;
    },
    hasContent: () => hasContent,
    isUnused: () => isUnused,
  };
}

/** Only a reply with calls has state to send back: the next request continues it. */
function collectState(calls: CollectedCall[], fields: JsonObject | undefined): JsonObject | undefined {
  if (calls.length === 0) return undefined;
  return {
    calls: calls.map(({ id, extra }) => ({ id, ...(extra !== undefined && { extra }) })),
    ...(fields && { fields }),
  };
}

/** Every part of a stream repeats id and model; the first one counts. */
function noteOrigin(response: ReplyOrigin, { id, model }: WireEvent): void {
  if (typeof id === 'string' && id !== '') response.id ??= id.slice(0, MAX_ORIGIN_CHARS);
  if (typeof model === 'string' && model !== '') response.model ??= model.slice(0, MAX_ORIGIN_CHARS);
}

function writeEnd(
  calls: CollectedCall[],
  end: { reason: ModelFinish; usage: TokenUsage | undefined; metadata: JsonObject | undefined },
): ModelChunk[] {
  const { reason, usage, metadata } = end;
  return [
    ...calls.map(({ id, name, arguments: args }) => ({ type: 'tool-call' as const, id, name, arguments: args })),
    { type: 'finish', reason, ...(usage && { usage }), ...(metadata && { metadata }) },
  ];
}

function mapReason(reason: string, hasCalls: boolean): ModelFinish {
  if (reason === 'length' || reason === 'max_tokens') return 'length';
  if (reason === 'content_filter') return 'content-filter';
  return hasCalls ? 'tool-calls' : 'stop';
}

/**
 * Collects the reasoning that must be sent back with calls: `reasoning_content` (DeepSeek and Kimi refuse a call
 * without it) and `reasoning_details` (OpenRouter, which passes on the signatures of its models).
 */
function createReasoningFields() {
  let content = '';
  const details: JsonObject[] = [];
  const open = new Map<string, JsonObject>();

  return {
    /** Returns the number of characters stored in addition to the reasoning text. */
    add(delta: { reasoning_content?: Json; reasoning_details?: Json }): number {
      if (typeof delta.reasoning_content === 'string') content += delta.reasoning_content;
      if (!Array.isArray(delta.reasoning_details)) return 0;
      const parts = delta.reasoning_details.filter(isObject);
      for (const part of parts) addDetail(details, open, part);
      return JSON.stringify(parts).length;
    },
    /** Fields of the assistant message, as they arrived. */
    take(): JsonObject | undefined {
      if (content === '' && details.length === 0) return undefined;
      return {
        ...(content !== '' && { reasoning_content: content }),
        ...(details.length > 0 && { reasoning_details: details }),
      };
    },
  };
}

/** Parts of the same detail share type and index. Their texts are joined; other values replace earlier ones. */
function addDetail(details: JsonObject[], open: Map<string, JsonObject>, part: JsonObject): void {
  const place = JSON.stringify([part.type, part.index]);
  const earlier = part.index === undefined ? undefined : open.get(place);
  if (!earlier) {
    const detail = { ...part };
    details.push(detail);
    open.set(place, detail);
    return;
  }
  for (const [key, value] of Object.entries(part)) {
    const before = earlier[key];
    const isJoined = ['text', 'summary', 'data'].includes(key) && typeof before === 'string';
    if (isJoined && typeof value === 'string') earlier[key] = before + value;
    else if (value !== null) earlier[key] = value;
  }
}
