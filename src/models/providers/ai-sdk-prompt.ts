import type { Message, ToolMessage } from '../../schema/conversation/message.ts';
import type { JsonMode } from '../../schema/model-config.ts';
import { FORMAT_NAME, systemWithFormat } from '../answer-format.ts';
import { findWireIds } from '../kept-metadata.ts';
import type { ModelRequest, Picture, Pictures, ToolChoice } from '../model.ts';
import { orderResults } from '../order-results.ts';
import {
  type CallOptions,
  type Prompt,
  type PromptMessage,
  type ProviderMetadata,
  writeAssistant,
} from './ai-sdk-parts.ts';

export interface PromptOptions {
  jsonMode?: JsonMode;
  vision?: boolean | undefined;
  /** Marks the parts that the provider should cache. */
  marksCache?: boolean;
}

/** Writes a request for the provider packages. Signatures and call ids stored under `label` are sent back. */
export function writePrompt(
  request: ModelRequest,
  label: string,
  { jsonMode = 'schema', vision = false, marksCache = false }: PromptOptions = {},
): Pick<CallOptions, 'prompt' | 'tools' | 'toolChoice' | 'responseFormat'> {
  const names = new Map(listCalls(request.messages).map((call) => [call.id, call.name]));
  const wireIds = findWireIds(label, request.messages);
  const pictures = vision ? request.pictures : undefined;
  const prompt: Prompt = [{ role: 'system', content: systemWithFormat(request, jsonMode) }];
  for (const message of orderResults(request.messages)) {
    const last = prompt.at(-1);
    if (message.role !== 'tool') prompt.push(writeMessage(message, { label, wireIds, pictures }));
    else if (last?.role === 'tool') last.content.push(writeResult(message, { names, wireIds }));
    else prompt.push({ role: 'tool', content: [writeResult(message, { names, wireIds })] });
  }
  const tools = writeTools(request, new Set(names.values()));
  if (marksCache) markCache(prompt, request.changing);
  return { prompt, ...tools, ...writeFormat(request, jsonMode) };
}

function writeFormat({ responseFormat }: ModelRequest, mode: JsonMode): Pick<CallOptions, 'responseFormat'> {
  if (!responseFormat || mode === 'prompt') return {};
  if (mode === 'object') return { responseFormat: { type: 'json' } };
  return { responseFormat: { type: 'json', name: FORMAT_NAME, schema: responseFormat } };
}

type Ids = ReadonlyMap<string, string>;

interface Kept {
  label: string;
  wireIds: Ids;
  pictures: Pictures | undefined;
}

function writeMessage(message: Exclude<Message, ToolMessage>, kept: Kept): PromptMessage {
  if (message.role === 'system') return { role: 'system', content: message.content };
  if (message.role === 'user') {
    const pictures = kept.pictures?.get(message.id) ?? [];
    return { role: 'user', content: [{ type: 'text', text: message.content }, ...pictures.map(writePicture)] };
  }
  return { role: 'assistant', content: writeAssistant(message, kept) };
}

function writePicture({ mediaType, data }: Picture) {
  return { type: 'file' as const, mediaType, data: { type: 'data' as const, data } };
}

function writeResult({ tool_call_id: id, content }: ToolMessage, { names, wireIds }: { names: Ids; wireIds: Ids }) {
  return {
    type: 'tool-result' as const,
    toolCallId: wireIds.get(id) ?? id,
    toolName: names.get(id) ?? 'unknown',
    output: { type: 'text' as const, value: content },
  };
}

/** A history with calls needs its tools declared, even if no tool may be called any more. */
function writeTools(
  { tools, toolChoice }: ModelRequest,
  calledNames: Set<string>,
): Pick<CallOptions, 'tools' | 'toolChoice'> {
  if (tools.length > 0)
    return {
      tools: tools.map(({ name, description, inputSchema }) => ({ type: 'function', name, description, inputSchema })),
      toolChoice: writeChoice(toolChoice),
    };
  if (calledNames.size === 0) return {};
  const inputSchema = { type: 'object' as const };
  return {
    tools: [...calledNames].map((name) => ({ type: 'function', name, description: 'Used before', inputSchema })),
    toolChoice: { type: 'none' },
  };
}

function writeChoice(choice: ToolChoice | undefined): NonNullable<CallOptions['toolChoice']> {
  if (choice === undefined) return { type: 'auto' };
  return choice === 'required' ? { type: 'required' } : { type: 'tool', toolName: choice.name };
}

function listCalls(messages: readonly Message[]) {
  return messages.flatMap((message) => (message.role === 'assistant' ? (message.tool_calls ?? []) : []));
}

const CACHED: { providerOptions: ProviderMetadata } = {
  providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
};

type UserMessage = Extract<PromptMessage, { role: 'user' }>;

/**
 * Marks where Anthropic's cache ends, in at most the four places that it accepts: after the tools and the instructions,
 * after the last two user messages (one was written by the turn before, one will be read by the next), and after the
 * newest tool results. Facts that change with every call move behind the newest user message: at the end of the
 * instructions they would make the whole history after them uncacheable.
 */
function markCache(prompt: Prompt, changing = ''): void {
  const [system] = prompt;
  const users = prompt.filter((message): message is UserMessage => message.role === 'user');
  const newest = users.at(-1);
  if (system?.role !== 'system' || !newest) return;
  const isSplit = changing !== '' && system.content.includes(changing);
  if (isSplit) system.content = system.content.replace(changing, () => '').trim();
  if (system.content !== '') Object.assign(system, CACHED);
  for (const message of users.slice(-2)) markLast(message.content);
  if (isSplit) newest.content.push({ type: 'text', text: `[Facts from the system, not from the user. ${changing}]` });
  const last = prompt.at(-1);
  if (last?.role === 'tool') markLast(last.content);
}

function markLast(parts: object[]): void {
  const last = parts.at(-1);
  if (last) Object.assign(last, CACHED);
}
