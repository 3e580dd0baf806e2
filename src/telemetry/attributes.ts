import { keyRedactor } from '../redaction/redactor.ts';
import type { Agent } from '../schema/agent.ts';
import type { Message } from '../schema/conversation/message.ts';
import type { TokenUsage } from '../schema/conversation/token-usage.ts';
import type { Json } from '../schema/json.ts';
import { providerFacts } from '../schema/provider.ts';
import type { Values } from './otlp.ts';

export type Operation = 'invoke_agent' | 'chat' | 'execute_tool';

export function modelName({ model }: Agent): string {
  return model.name ?? model.provider;
}

/** Attributes shared by the spans and metrics of an operation. */
export function operationAttributes(operation: Operation, agent: Agent): Values {
  return {
    'gen_ai.operation.name': operation,
    'gen_ai.provider.name': providerFacts(agent.model.provider).telemetryName ?? agent.model.provider,
    'gen_ai.agent.name': agent.name,
    'gen_ai.request.model': operation === 'execute_tool' ? undefined : modelName(agent),
    ...(operation === 'chat' && serverValues(agent)),
  };
}

function serverValues({ model }: Agent): Values {
  const url = URL.parse(model.endpoint ?? providerFacts(model.provider).endpoint ?? '');
  if (!url) return {};
  const standard = url.protocol === 'https:' ? 443 : 80;
  return { 'server.address': url.hostname, 'server.port': url.port === '' ? standard : Number(url.port) };
}

export function usageValues(usage: TokenUsage | undefined): Values {
  return {
    'gen_ai.usage.input_tokens': usage?.prompt_tokens,
    'gen_ai.usage.output_tokens': usage?.completion_tokens,
    'gen_ai.usage.cache_read.input_tokens': usage?.cached_tokens,
    'holodeck.usage.cost_usd': usage?.cost_usd,
  };
}

const MAX_CHARS = 8000;

/** Replaces everything that looks like a secret, and cuts the text to a length that receivers accept. */
export function redactText(text: string): string {
  return cut(keyRedactor.text(text));
}

/** Writes a value as JSON text; values of keys that name a secret are hidden. */
export function redactJson(value: Json): string {
  return cut(JSON.stringify(keyRedactor.json(value)));
}

function cut(text: string): string {
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text;
}

/** A message in the format of the conventions for generative AI, without secrets. */
interface ShownMessage {
  role: string;
  parts: object[];
  finish_reason?: string;
}

/** The JSON of `gen_ai.input.messages`. */
export function inputJson(text: string): string {
  return JSON.stringify([{ role: 'user', parts: [textPart(text)] } satisfies ShownMessage]);
}

/** The JSON of `gen_ai.output.messages`: the text, then the calls. */
export function outputJson(content: string, calls: readonly CallShown[], finishReason: string): string {
  const parts = [...(content === '' ? [] : [textPart(content)]), ...calls.map(callPart)];
  return JSON.stringify([{ role: 'assistant', parts, finish_reason: finishReason } satisfies ShownMessage]);
}

type CallShown = Pick<
  NonNullable<Extract<Message, { role: 'assistant' }>['tool_calls']>[number],
  'id' | 'name' | 'arguments'
>;

function textPart(text: string): object {
  return { type: 'text', content: redactText(text) };
}

function callPart({ id, name, arguments: args }: CallShown): object {
  return { type: 'tool_call', id, name, arguments: redactJson(args) };
}
