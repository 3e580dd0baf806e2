import { isObject, type Json, type JsonObject } from '../schema/json.ts';
import type { Message } from '../schema/message.ts';
import type { ToolCallRequest } from '../schema/tool-call.ts';
import { readMetadata } from './kept-metadata.ts';
import type { ModelRequest, ToolDefinition } from './model.ts';
import { orderResults } from './order-results.ts';

export interface BodySettings {
  label: string;
  name: string;
  temperature: number;
  maxTokens: number;
}

/** The body of a streaming chat completion. */
export function writeOpenAiBody(request: ModelRequest, settings: BodySettings): string {
  return JSON.stringify({
    model: settings.name,
    messages: [
      { role: 'system', content: request.system },
      ...orderResults(request.messages).map((message) => writeMessage(message, settings.label)),
    ],
    ...(request.tools.length > 0 && { tools: request.tools.map(writeTool) }),
    temperature: settings.temperature,
    max_tokens: settings.maxTokens,
    stream: true,
    stream_options: { include_usage: true },
  });
}

function writeMessage(message: Message, label: string): JsonObject {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.tool_call_id, content: message.content };
  if (message.role !== 'assistant' || !message.tool_calls) return { role: message.role, content: message.content };
  const extras = readMetadata(label, message).calls;
  return {
    role: 'assistant',
    content: message.content === '' ? null : message.content,
    tool_calls: message.tool_calls.map((call) => writeCall(call, isObject(extras) ? extras[call.id] : undefined)),
  };
}

/** `extra` is what came with the call and must go back with it, such as Gemini's thought signature. */
function writeCall(call: ToolCallRequest, extra: Json | undefined): JsonObject {
  return {
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
    ...(extra !== undefined && { extra_content: extra }),
  };
}

function writeTool(tool: ToolDefinition): JsonObject {
  return {
    type: 'function',
    function: { name: tool.name, description: tool.description, parameters: tool.inputSchema },
  };
}
