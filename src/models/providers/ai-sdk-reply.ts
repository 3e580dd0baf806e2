import { type TokenUsage, tokenUsage } from '../../schema/conversation/token-usage.ts';
import type { JsonObject } from '../../schema/json.ts';
import { keepMetadata } from '../kept-metadata.ts';
import type { ModelChunk, ModelFinish, ReplyOrigin } from '../model.ts';
import { badReply } from '../model-errors.ts';
import type { Origin } from '../origin.ts';
import { createReplyMeter, type ReplyMeter } from '../reply-meter.ts';
import { explainSdkError, isUnknownEvent } from './ai-sdk-errors.ts';
import { createPartRecord, type FinishPart, type StreamPart } from './ai-sdk-parts.ts';

export interface SdkReply {
  /** Returns the chunk for a part, if any. Throws if the part reports an error. */
  read(part: StreamPart): ModelChunk | undefined;
  /** Id and model of this reply, as reported by the provider. */
  response: ReplyOrigin;
  /** True if the reply exceeded its limit; the rest is not read. */
  isCut(): boolean;
  /** Returns the tool calls and the end. Throws if the reply has no end or no content. */
  finish(): ModelChunk[];
}

type CallPart = Extract<StreamPart, { type: 'tool-call' }>;

/** Reads the parts that a provider package makes of a reply. */
export function createSdkReply(options: {
  origin: Origin;
  label: string;
  date: () => Date;
  /** True if the request ends with tool results: the model may then have nothing to add. */
  mayBeEmpty: boolean;
  /** Text, reasoning and arguments beyond this end the reply as `length`. */
  maxChars?: number | undefined;
}): SdkReply {
  const { origin } = options;
  const calls: CallPart[] = [];
  const begun = new Map<string, { index: number; name: string }>();
  const record = createPartRecord();
  const meter = createReplyMeter(options.maxChars);
  const measure = createPartMeasure(meter);
  let end: FinishPart | undefined;
  const response: ReplyOrigin = {};
  let hasText = false;

  return {
    response,
    read(given) {
      const part = measure(given);
      record.add(part);
      switch (part.type) {
        case 'text-delta':
          hasText ||= /\S/.test(part.delta);
          return part.delta === '' ? undefined : { type: 'text', text: part.delta };
        case 'reasoning-delta':
          return part.delta === '' ? undefined : { type: 'reasoning', text: part.delta };
        case 'tool-input-start':
          if (!part.providerExecuted) begun.set(part.id, { index: begun.size, name: part.toolName });
          return undefined;
        case 'tool-input-delta': {
          const call = begun.get(part.id);
          return call && part.delta !== '' ? { type: 'call-part', ...call, text: part.delta } : undefined;
        }
        case 'tool-call':
          if (!part.providerExecuted && !meter.isOver()) calls.push(part);
          return undefined;
        case 'response-metadata':
          Object.assign(response, part.id && { id: part.id }, part.modelId && { model: part.modelId });
          return undefined;
        case 'finish':
          end = part;
          return undefined;
        case 'error':
          if (isUnknownEvent(origin, part.error)) return undefined;
          throw explainSdkError(origin, part.error, options.date());
        default:
          return undefined;
      }
    },
    isCut: meter.isOver,
    finish() {
      if (meter.isOver()) return [...calls.map(writeCall), { type: 'finish', reason: 'length' }];
      const reason = mapReason(end, calls.length > 0);
      const isEmpty = !hasText && calls.length === 0;
      const isEnded = reason === 'stop' || reason === 'tool-calls';
      const mustHaveContent = isEnded ? !options.mayBeEmpty : !reason && !record.hasReasoning();
      if (isEmpty && mustHaveContent) throw badReply(origin, 'sent an empty reply. Please try again');
      if (!end || !reason) throw badReply(origin, 'stopped in the middle of its reply. Please try again');
      const usage = readUsage(end);
      const state = collectState(calls, record.parts());
      const metadata = state && keepMetadata(options.label, state);
      return [
        ...calls.map(writeCall),
        {
          type: 'finish',
          reason,
          ...(usage && { usage }),
          ...(metadata && { metadata }),
        },
      ];
    },
  };
}

/** Counts parts and cuts text where the reply becomes too long. Arguments that arrive in parts are counted once. */
function createPartMeasure(meter: ReplyMeter): (part: StreamPart) => StreamPart {
  const inParts = new Set<string>();
  return (part) => {
    switch (part.type) {
      case 'text-delta':
      case 'reasoning-delta':
        return { ...part, delta: meter.take(part.delta) };
      case 'tool-input-delta':
        inParts.add(part.id);
        meter.count(part.delta.length);
        return part;
      case 'tool-call':
        meter.count(part.toolName.length + (inParts.has(part.toolCallId) ? 0 : part.input.length));
        return part;
      default:
        return part;
    }
  };
}

function writeCall({ toolCallId: id, toolName: name, input }: CallPart): ModelChunk {
  return { type: 'tool-call', id, name, arguments: input };
}

function mapReason(end: FinishPart | undefined, hasCalls: boolean): ModelFinish | undefined {
  switch (end?.finishReason.unified) {
    case 'length':
    case 'content-filter':
      return end.finishReason.unified;
    case 'stop':
    case 'tool-calls':
    case 'other':
      return hasCalls ? 'tool-calls' : 'stop';
    default:
      return undefined;
  }
}

function readUsage({ usage }: FinishPart): TokenUsage | undefined {
  const { inputTokens, outputTokens } = usage;
  if (inputTokens.total === undefined && outputTokens.total === undefined) return undefined;
  const { cacheRead: read, cacheWrite: written } = inputTokens;
  return tokenUsage(inputTokens.total ?? 0, outputTokens.total ?? 0, { read, written });
}

/** Signatures of the model's reasoning: without them some models refuse to read their own calls again. */
function collectState(calls: CallPart[], parts: JsonObject[]): JsonObject | undefined {
  if (calls.length === 0 && parts.length === 0) return undefined;
  return { ...(calls.length > 0 && { calls: calls.map(keepCall) }), ...(parts.length > 0 && { parts }) };
}

function keepCall({ toolCallId: id, providerMetadata }: CallPart): JsonObject {
  // The package guarantees that provider metadata is JSON.
  return { id, ...(providerMetadata && { extra: providerMetadata as JsonObject }) };
}
