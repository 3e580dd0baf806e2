import type { Message } from '../../../schema/conversation/message.ts';
import { isObject, type Json, type JsonObject } from '../../../schema/json.ts';
import { systemWithFormat } from '../../answer-format.ts';
import type { ModelRequest } from '../../model.ts';
import { orderResults } from '../../order-results.ts';
import type { Origin } from '../../origin.ts';
import { type BodySettings, offeredTools, writeTool } from '../openai-body.ts';
import { parseEvent, type WireEvent } from '../openai-wire.ts';

/** Writes the body of a streaming request to /api/chat. */
export function writeOllamaBody(request: ModelRequest, settings: BodySettings, contextTokens: number): string {
  const { name, temperature, maxTokens, reasoningEffort, jsonMode = 'schema' } = settings;
  const pictures = settings.vision ? request.pictures : undefined;
  const names = callNames(request.messages);
  const tools = offeredTools(request);
  return JSON.stringify({
    model: name,
    messages: [
      { role: 'system', content: systemWithFormat(request, jsonMode) },
      ...orderResults(request.messages).map((message) => ({
        ...writeMessage(message, names),
        ...(pictures?.has(message.id) && {
          images: pictures.get(message.id)?.map(({ data }) => Buffer.from(data).toString('base64')),
        }),
      })),
    ],
    ...(tools.length > 0 && { tools: tools.map(writeTool) }),
    ...(request.responseFormat &&
      jsonMode !== 'prompt' && { format: jsonMode === 'object' ? 'json' : request.responseFormat }),
    ...(reasoningEffort !== undefined && { think: writeEffort(reasoningEffort) }),
    options: {
      num_ctx: contextTokens,
      ...(temperature !== undefined && { temperature }),
      ...(maxTokens !== undefined && { num_predict: maxTokens }),
    },
    stream: true,
  });
}

/** Most thinking models know only on and off; levels are three. */
function writeEffort(effort: string): Json {
  if (effort === 'none') return false;
  return ({ minimal: 'low', xhigh: 'high', max: 'high' } as Record<string, string>)[effort] ?? effort;
}

function callNames(messages: readonly Message[]): ReadonlyMap<string, string> {
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? (message.tool_calls ?? []) : []));
  return new Map(calls.map(({ id, name }) => [id, name]));
}

function writeMessage(message: Message, names: ReadonlyMap<string, string>): JsonObject {
  const { role, content } = message;
  if (message.role === 'tool') {
    const { tool_call_id } = message;
    return { role, content, tool_name: names.get(tool_call_id) ?? '', tool_call_id };
  }
  if (message.role !== 'assistant' || !message.tool_calls) return { role, content };
  const calls = message.tool_calls.map(({ id, name, arguments: args }) => ({
    id,
    function: { name, arguments: args },
  }));
  return { role, content, tool_calls: calls };
}

/** Reads a line of /api/chat as an event of chat completions. */
export function parseOllamaEvent(origin: Origin, data: string): WireEvent {
  // The fields are checked where they are read.
  const line = parseEvent(origin, data) as JsonObject;
  const { message, done, done_reason: reason, prompt_eval_count: prompt, eval_count: completion, error, model } = line;
  if (error !== undefined) return { error };
  const { content, thinking, tool_calls: calls } = isObject(message) ? message : {};
  const delta = {
    ...(content !== undefined && { content }),
    ...(thinking !== undefined && { reasoning: thinking }),
    ...(Array.isArray(calls) && { tool_calls: calls.filter(isObject).map(withoutIndex) }),
  };
  const end = typeof reason === 'string' && reason !== '' ? reason : 'stop';
  const counts = {
    ...(prompt !== undefined && { prompt_tokens: prompt }),
    ...(completion !== undefined && { completion_tokens: completion }),
  };
  return {
    ...(model !== undefined && { model }),
    choices: [{ delta, finish_reason: done === true ? end : null }],
    ...(done === true && { usage: counts }),
  };
}

/** Calls arrive whole; some versions give every call the index 0. */
function withoutIndex({ id, function: called }: JsonObject): { id?: Json; function: JsonObject | null } {
  return { ...(typeof id === 'string' && { id }), function: isObject(called) ? called : null };
}
