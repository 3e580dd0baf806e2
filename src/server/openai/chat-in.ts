import * as z from 'zod';
import type { AttachedFile } from '../../runtime/files/attached-file.ts';
import type { ContextEntry } from '../../runtime/turn/caller-context.ts';
import { MAX_TAKEN } from '../../runtime/turn/caller-history.ts';
import { isObject } from '../../schema/json.ts';
import { invalidAt, parseRequest } from '../http/parse.ts';
import { decodeFiles } from '../rest/attachments.ts';
import type { ToolOutput } from './caller-tools.ts';
import { filesOf, OpenaiContent, textOf } from './openai-content.ts';

/** The parts of a call, whichever of OpenAI's two protocols it came by. */
export interface CallerInput {
  message?: { message: string; files: AttachedFile[] };
  /** Results of the caller's own tools, for the turn that waits for them. */
  outputs: ToolOutput[];
  /** The messages before the new one, unchecked. */
  history(): unknown[];
  context: ContextEntry[];
}

const UserMessage = z.looseObject({ content: OpenaiContent });
const ToolMessage = z.looseObject({ tool_call_id: z.string(), content: OpenaiContent });
const SYSTEM = ['system', 'developer'];

/** Reads chat messages: the last one is new, or the last ones are tool results. */
export function readChatMessages(messages: readonly unknown[]): CallerInput {
  const last = messages.findLastIndex((message) => isRole(message, 'user', 'assistant', 'tool'));
  const context = systemContext(messages.filter((message) => isRole(message, ...SYSTEM)));
  const history = (end: number) => () =>
    messages.slice(Math.max(end - MAX_TAKEN, 0), end).flatMap((message) => toEarlier(message));
  if (isRole(messages[last], 'tool')) return { outputs: readOutputs(messages, last), history: history(last), context };
  if (!isRole(messages[last], 'user'))
    throw invalidAt({ path: ['messages'], message: 'must end with a user message or with tool results' });
  return { message: readMessage(messages[last], ['messages', last]), outputs: [], history: history(last), context };
}

/** A user's text and files. */
export function readMessage(message: unknown, path: (string | number)[]): { message: string; files: AttachedFile[] } {
  const { content } = parseRequest(UserMessage, message, path);
  return { message: textOf(content), files: decodeFiles(filesOf(content, [...path, 'content'])) };
}

/** The tool messages behind the last message of the assistant. */
function readOutputs(messages: readonly unknown[], last: number): ToolOutput[] {
  const start = messages.findLastIndex((message, index) => index <= last && !isRole(message, 'tool')) + 1;
  return messages.slice(start, last + 1).map((message, offset) => {
    const { tool_call_id, content } = parseRequest(ToolMessage, message, ['messages', start + offset]);
    return { callId: tool_call_id, output: textOf(content) };
  });
}

/** The caller's system messages are data for the model, never instructions of the agent's author. */
export function systemContext(messages: readonly unknown[]): ContextEntry[] {
  return messages.flatMap((message) => {
    const parsed = UserMessage.safeParse(message).data;
    return parsed ? [{ description: 'System message of the calling program', value: textOf(parsed.content) }] : [];
  });
}

/** A message in the shape of history; system messages are context instead. */
export function toEarlier(message: unknown): unknown[] {
  if (!isObject(message) || isRole(message, ...SYSTEM)) return [];
  const parsed = UserMessage.safeParse(message).data;
  const calls = Array.isArray(message.tool_calls) ? { tool_calls: message.tool_calls } : {};
  return [{ role: message.role, content: parsed ? textOf(parsed.content) : '', ...calls }];
}

export function isRole(message: unknown, ...roles: string[]): boolean {
  return isObject(message) && typeof message.role === 'string' && roles.includes(message.role);
}
