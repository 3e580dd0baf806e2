import type { AnthropicProvider } from '@ai-sdk/anthropic';
import type { AssistantMessage } from '../../schema/conversation/message.ts';
import { isObject, type Json, type JsonObject } from '../../schema/json.ts';
import { readCalls, readMetadata } from '../kept-metadata.ts';

/** The interface shared by the provider packages, derived from one of them. */
export type LanguageModel = ReturnType<AnthropicProvider['languageModel']>;
export type CallOptions = Parameters<LanguageModel['doStream']>[0];
type StreamResult = Awaited<ReturnType<LanguageModel['doStream']>>;
export type StreamPart = StreamResult['stream'] extends ReadableStream<infer Part> ? Part : never;
export type Prompt = CallOptions['prompt'];
export type PromptMessage = Prompt[number];
export type AssistantParts = Extract<PromptMessage, { role: 'assistant' }>['content'];
export type ProviderMetadata = NonNullable<PromptMessage['providerOptions']>;
export type FinishPart = Extract<StreamPart, { type: 'finish' }>;

/** A part of a reply, stored in order: providers check signatures together with their position. */
type KeptPart =
  | { type: 'reasoning'; text: string; metadata: JsonObject }
  /** Covers the next `chars` characters of the message's text. */
  | { type: 'text'; chars: number; metadata: JsonObject }
  /** The next call of the message. */
  | { type: 'call' };

type ProsePart = Exclude<KeptPart, { type: 'call' }>;

/** Records the order and the signatures of a reply's parts. */
export function createPartRecord() {
  const parts: KeptPart[] = [];
  const open = new Map<string, ProsePart>();

  function find(type: ProsePart['type'], id: string): ProsePart {
    const known = open.get(`${type} ${id}`);
    if (known) return known;
    const metadata: JsonObject = {};
    const part: ProsePart = type === 'text' ? { type, chars: 0, metadata } : { type, text: '', metadata };
    open.set(`${type} ${id}`, part);
    parts.push(part);
    return part;
  }

  return {
    add(part: StreamPart): void {
      if (part.type === 'tool-call' && !part.providerExecuted) parts.push({ type: 'call' });
      if (!isProse(part)) return;
      const kept = find(part.type.startsWith('text') ? 'text' : 'reasoning', part.id);
      const delta = 'delta' in part ? part.delta : '';
      if (kept.type === 'text') kept.chars += delta.length;
      else kept.text += delta;
      // The package guarantees that provider metadata is JSON.
      Object.assign(kept.metadata, part.providerMetadata as JsonObject | undefined);
    },
    hasReasoning: () => parts.some((part) => part.type === 'reasoning'),
    /** The parts to store; empty if text and calls alone are enough. */
    parts(): JsonObject[] {
      const signed = parts.filter((part) => part.type !== 'reasoning' || hasKeys(part.metadata));
      if (!signed.some((part) => part.type !== 'call' && hasKeys(part.metadata))) return [];
      return signed.filter((part) => part.type !== 'text' || part.chars > 0 || hasKeys(part.metadata));
    },
  };
}

type StreamedProse = Extract<StreamPart, { type: `${'text' | 'reasoning'}-${'start' | 'delta' | 'end'}` }>;

function isProse(part: StreamPart): part is StreamedProse {
  return /^(text|reasoning)-(start|delta|end)$/.test(part.type);
}

function hasKeys(metadata: JsonObject): boolean {
  return Object.keys(metadata).length > 0;
}

/** Writes an assistant message for the packages, with the state stored by the same model, in the order of the reply. */
export function writeAssistant(
  message: AssistantMessage,
  { label, wireIds }: { label: string; wireIds: ReadonlyMap<string, string> },
): AssistantParts {
  const kept = readCalls(label, message);
  const calls = (message.tool_calls ?? []).map((call, index) => {
    const toolCallId = wireIds.get(call.id) ?? call.id;
    const part = { type: 'tool-call' as const, toolCallId, toolName: call.name, input: call.arguments };
    return { ...part, ...writeOptions(kept[index]?.extra) };
  });
  const written = readParts(label, message).flatMap((part): AssistantParts => {
    if (part.type === 'call') return calls.splice(0, 1);
    return [{ type: part.type, text: part.text, ...writeOptions(part.metadata) }];
  });
  return [...written, ...calls];
}

type OrderedPart = { type: 'call' } | { type: 'text' | 'reasoning'; text: string; metadata?: Json | undefined };

/** The parts of the reply in order. Text that has changed since becomes a single part before the calls. */
function readParts(label: string, message: AssistantMessage): OrderedPart[] {
  const { parts } = readMetadata(label, message);
  const kept = Array.isArray(parts) ? parts.filter(isObject) : [];
  const { content } = message;
  const isSame = kept.reduce((sum, part) => sum + countChars(part), 0) === content.length;
  let position = 0;
  const ordered = kept.flatMap((part): OrderedPart[] => {
    const { type, text, metadata } = part;
    if (type === 'call') return [{ type }];
    if (type === 'reasoning') return [{ type, text: String(text ?? ''), metadata }];
    if (!isSame) return [];
    const start = position;
    position += countChars(part);
    return [{ type: 'text', text: content.slice(start, position), metadata }];
  });
  if (isSame || content === '') return ordered;
  const firstCall = ordered.findIndex((part) => part.type === 'call');
  return ordered.toSpliced(firstCall === -1 ? ordered.length : firstCall, 0, { type: 'text', text: content });
}

function countChars({ type, chars }: JsonObject): number {
  return type === 'text' && typeof chars === 'number' ? chars : 0;
}

function writeOptions(metadata: Json | undefined): { providerOptions?: ProviderMetadata } {
  // Recorded above exactly as the package returned it.
  return isObject(metadata) && hasKeys(metadata) ? { providerOptions: metadata as ProviderMetadata } : {};
}
