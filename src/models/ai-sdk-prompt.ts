import { isObject } from '../schema/json.ts';
import type { AssistantMessage, Message, ToolMessage } from '../schema/message.ts';
import type { AssistantParts, CallOptions, Prompt, PromptMessage, ProviderMetadata } from './ai-sdk-types.ts';
import { readMetadata } from './kept-metadata.ts';
import type { ModelRequest } from './model.ts';
import { orderResults } from './order-results.ts';

/** The request as the provider packages read it. `label` tells which kept signatures are this model's own. */
export function writePrompt(
  request: ModelRequest,
  label: string,
): Pick<CallOptions, 'prompt' | 'tools' | 'toolChoice'> {
  const names = new Map(listCalls(request.messages).map((call) => [call.id, call.name]));
  const prompt: Prompt = [{ role: 'system', content: request.system }];
  for (const message of orderResults(request.messages)) {
    const last = prompt.at(-1);
    if (message.role !== 'tool') prompt.push(writeMessage(message, label));
    else if (last?.role === 'tool') last.content.push(writeResult(message, names));
    else prompt.push({ role: 'tool', content: [writeResult(message, names)] });
  }
  return { prompt, ...writeTools(request, new Set(names.values())) };
}

function writeMessage(message: Exclude<Message, ToolMessage>, label: string): PromptMessage {
  if (message.role === 'system') return { role: 'system', content: message.content };
  if (message.role === 'user') return { role: 'user', content: [{ type: 'text', text: message.content }] };
  return { role: 'assistant', content: writeAssistant(message, label) };
}

function writeAssistant(message: AssistantMessage, label: string): AssistantParts {
  const { reasoning, calls } = readMetadata(label, message);
  const parts: AssistantParts = [];
  for (const block of Array.isArray(reasoning) ? reasoning : [])
    if (isObject(block) && typeof block.text === 'string')
      parts.push({ type: 'reasoning', text: block.text, ...writeOptions(block.metadata) });
  if (message.content !== '') parts.push({ type: 'text', text: message.content });
  for (const { id, name, arguments: input } of message.tool_calls ?? []) {
    const metadata = isObject(calls) ? calls[id] : undefined;
    parts.push({ type: 'tool-call', toolCallId: id, toolName: name, input, ...writeOptions(metadata) });
  }
  return parts;
}

function writeOptions(metadata: Parameters<typeof isObject>[0]): { providerOptions?: ProviderMetadata } {
  // kept by `ai-sdk-reply.ts` as the package gave it
  return isObject(metadata) ? { providerOptions: metadata as ProviderMetadata } : {};
}

function writeResult({ tool_call_id: id, content }: ToolMessage, names: Map<string, string>) {
  return {
    type: 'tool-result' as const,
    toolCallId: id,
    toolName: names.get(id) ?? 'unknown',
    output: { type: 'text' as const, value: content },
  };
}

/** A history with calls needs its tools declared, also where none may be called any more. */
function writeTools({ tools }: ModelRequest, calledNames: Set<string>): Pick<CallOptions, 'tools' | 'toolChoice'> {
  if (tools.length > 0)
    return {
      tools: tools.map(({ name, description, inputSchema }) => ({ type: 'function', name, description, inputSchema })),
      toolChoice: { type: 'auto' },
    };
  if (calledNames.size === 0) return {};
  const inputSchema = { type: 'object' as const };
  return {
    tools: [...calledNames].map((name) => ({ type: 'function', name, description: 'Used before', inputSchema })),
    toolChoice: { type: 'none' },
  };
}

function listCalls(messages: readonly Message[]) {
  return messages.flatMap((message) => (message.role === 'assistant' ? (message.tool_calls ?? []) : []));
}
