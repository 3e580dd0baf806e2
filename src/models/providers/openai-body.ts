import type { Message } from '../../schema/conversation/message.ts';
import type { ToolCallRequest } from '../../schema/conversation/tool-call.ts';
import { isObject, type Json, type JsonObject } from '../../schema/json.ts';
import type { JsonMode } from '../../schema/model-config.ts';
import { isLocalServer, type Provider } from '../../schema/provider.ts';
import { FORMAT_NAME, isStrict, systemWithFormat } from '../answer-format.ts';
import { findWireIds, readCalls, readMetadata } from '../kept-metadata.ts';
import type { ModelRequest, Picture, Pictures, ToolChoice, ToolDefinition } from '../model.ts';
import { orderResults } from '../order-results.ts';

export interface BodySettings {
  label: string;
  name: string;
  temperature?: number | undefined;
  maxTokens?: number | undefined;
  reasoningEffort?: string | undefined;
  jsonMode?: JsonMode | undefined;
  vision?: boolean | undefined;
  provider?: Provider;
  endpoint?: string | undefined;
}

/** Writes the body of a streaming chat completion. */
export function writeOpenAiBody(request: ModelRequest, settings: BodySettings): string {
  const { label } = settings;
  const needsSignature = /gemini-[3-9]/i.test(settings.name);
  const pictures = settings.vision ? request.pictures : undefined;
  const kept = { label, wireIds: findWireIds(label, request.messages), needsSignature, pictures };
  const isLocal = isLocalServer({ provider: 'openai_compatible', ...settings });
  const tools = isLocal ? offeredTools(request) : request.tools;
  return JSON.stringify({
    model: settings.name,
    messages: [
      { role: 'system', content: systemWithFormat(request, settings.jsonMode ?? 'schema') },
      ...orderResults(request.messages).map((message) => writeMessage(message, kept)),
    ],
    ...(tools.length > 0 && { tools: tools.map(writeTool) }),
    ...(request.toolChoice && { tool_choice: writeChoice(isLocal ? 'required' : request.toolChoice) }),
    ...(settings.temperature !== undefined && { temperature: settings.temperature }),
    ...(settings.maxTokens !== undefined && { max_tokens: settings.maxTokens }),
    ...(settings.reasoningEffort !== undefined && { reasoning_effort: settings.reasoningEffort }),
    ...writeFormat(request, settings.jsonMode ?? 'schema'),
    stream: true,
    stream_options: { include_usage: true },
  });
}

/** Local servers know no named choice, or ignore it: a reply that must call one tool is offered no other. */
export function offeredTools({ tools, toolChoice }: ModelRequest): ModelRequest['tools'] {
  return typeof toolChoice === 'object' ? tools.filter(({ name }) => name === toolChoice.name) : tools;
}

function writeChoice(choice: ToolChoice): Json {
  return choice === 'required' ? choice : { type: 'function', function: { name: choice.name } };
}

function writeFormat({ responseFormat }: ModelRequest, mode: JsonMode): JsonObject {
  if (!responseFormat || mode === 'prompt') return {};
  if (mode === 'object') return { response_format: { type: 'json_object' } };
  const strict = isStrict(responseFormat);
  const json_schema = { name: FORMAT_NAME, schema: responseFormat, ...(strict && { strict }) };
  return { response_format: { type: 'json_schema', json_schema } };
}

interface Kept {
  label: string;
  wireIds: ReadonlyMap<string, string>;
  /** Gemini 3 refuses calls without a signature, even calls of another model. */
  needsSignature: boolean;
  pictures: Pictures | undefined;
}

function writeMessage(message: Message, kept: Kept): JsonObject {
  const wireId = (id: string) => kept.wireIds.get(id) ?? id;
  if (message.role === 'tool')
    return { role: 'tool', tool_call_id: wireId(message.tool_call_id), content: message.content };
  const pictures = kept.pictures?.get(message.id);
  if (pictures)
    return { role: message.role, content: [{ type: 'text', text: message.content }, ...pictures.map(writePicture)] };
  if (message.role !== 'assistant' || !message.tool_calls) return { role: message.role, content: message.content };
  const made = readCalls(kept.label, message);
  const extras = message.tool_calls.map((_, index): Json | undefined => made[index]?.extra);
  const isSigned = extras.some((extra) => extra !== undefined);
  if (kept.needsSignature && !isSigned) extras[0] = UNSIGNED;
  const { fields } = readMetadata(kept.label, message);
  return {
    role: 'assistant',
    content: message.content === '' ? null : message.content,
    tool_calls: message.tool_calls.map((call, index) => writeCall({ ...call, id: wireId(call.id) }, extras[index])),
    ...(isObject(fields) && fields),
  };
}

function writePicture({ mediaType, data }: Picture): JsonObject {
  const url = `data:${mediaType};base64,${Buffer.from(data).toString('base64')}`;
  return { type: 'image_url', image_url: { url } };
}

/** Google's documented value for calls that Gemini did not make. */
const UNSIGNED = { google: { thought_signature: 'skip_thought_signature_validator' } };

/** `extra` came with the call and must be sent back with it, such as Gemini's thought signature. */
function writeCall(call: ToolCallRequest, extra: Json | undefined): JsonObject {
  return {
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
    ...(extra !== undefined && { extra_content: extra }),
  };
}

export function writeTool(tool: ToolDefinition): JsonObject {
  return {
    type: 'function',
    function: { name: tool.name, description: tool.description, parameters: tool.inputSchema },
  };
}
