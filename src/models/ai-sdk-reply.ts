import type { JsonObject } from '../schema/json.ts';
import { type TokenUsage, tokenUsage } from '../schema/token-usage.ts';
import { explainSdkError } from './ai-sdk-errors.ts';
import type { FinishPart, StreamPart } from './ai-sdk-types.ts';
import { keepMetadata } from './kept-metadata.ts';
import type { ModelChunk, ModelFinish } from './model.ts';
import { badReply } from './model-errors.ts';
import type { Origin } from './origin.ts';

export interface SdkReply {
  /** The chunk that a part stands for, if any. Throws for a part that tells of a fault. */
  read(part: StreamPart): ModelChunk | undefined;
  /** The tool calls and the end. Throws when the reply has no end or no content. */
  finish(): ModelChunk[];
}

type CallPart = Extract<StreamPart, { type: 'tool-call' }>;

interface ReasoningBlock {
  text: string;
  metadata: JsonObject;
}

/** Reads the parts that a provider package makes of a reply. */
export function createSdkReply(options: { origin: Origin; label: string; date: () => Date }): SdkReply {
  const { origin } = options;
  const calls: CallPart[] = [];
  const blocks = new Map<string, ReasoningBlock>();
  let end: FinishPart | undefined;
  let hasText = false;

  function readReasoning(part: Extract<StreamPart, { type: `reasoning-${'start' | 'delta' | 'end'}` }>) {
    const text = part.type === 'reasoning-delta' ? part.delta : '';
    const block = blocks.get(part.id) ?? { text: '', metadata: {} };
    block.text += text;
    // provider metadata is JSON of the package's own making
    Object.assign(block.metadata, part.providerMetadata as JsonObject | undefined);
    blocks.set(part.id, block);
    return text === '' ? undefined : { type: 'reasoning' as const, text };
  }

  return {
    read(part) {
      switch (part.type) {
        case 'text-delta':
          hasText ||= /\S/.test(part.delta);
          return part.delta === '' ? undefined : { type: 'text', text: part.delta };
        case 'reasoning-start':
        case 'reasoning-delta':
        case 'reasoning-end':
          return readReasoning(part);
        case 'tool-call':
          if (!part.providerExecuted) calls.push(part);
          return undefined;
        case 'finish':
          end = part;
          return undefined;
        case 'error':
          throw explainSdkError(origin, part.error, options.date());
        default:
          return undefined;
      }
    },
    finish() {
      const reason = mapReason(end, calls.length > 0);
      const isEmpty = !hasText && calls.length === 0;
      const mustHaveContent = reason === 'stop' || reason === 'tool-calls' || (!reason && blocks.size === 0);
      if (isEmpty && mustHaveContent) throw badReply(origin, 'sent an empty reply. Please try again');
      if (!end || !reason) throw badReply(origin, 'stopped in the middle of its reply. Please try again');
      const usage = readUsage(end);
      const state = collectState(calls, [...blocks.values()]);
      const metadata = state && keepMetadata(options.label, state);
      return [
        ...calls.map(writeCall),
        { type: 'finish', reason, ...(usage && { usage }), ...(metadata && { metadata }) },
      ];
    },
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
  return tokenUsage(inputTokens.total ?? 0, outputTokens.total ?? 0);
}

/** What signs the model's thoughts: without it some models refuse to read their own calls again. */
function collectState(calls: CallPart[], blocks: ReasoningBlock[]): JsonObject | undefined {
  const signed = blocks.filter((block) => Object.keys(block.metadata).length > 0).map((block) => ({ ...block }));
  const extras = calls.flatMap(({ toolCallId, providerMetadata }) =>
    providerMetadata ? [[toolCallId, providerMetadata]] : [],
  );
  if (signed.length === 0 && extras.length === 0) return undefined;
  return {
    ...(signed.length > 0 && { reasoning: signed }),
    ...(extras.length > 0 && { calls: Object.fromEntries(extras) }),
  };
}
