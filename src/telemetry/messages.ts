import type { Message } from '../schema/conversation/message.ts';
import { redactJson, redactText } from './redact.ts';

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
