import { type Json, type JsonObject, parseJson } from '../../schema/json.ts';
import type { Message } from '../../schema/message.ts';
import { sanitizeText } from '../../tools/sanitize.ts';

const MAX_CHARS = 60;

/** What a tool called the thing with an id. */
export interface KnownName {
  /** The argument that holds the id. */
  argument: string;
  name: string;
  /** The tool that said so. */
  tool: string;
}

/** Names for the ids in a call's arguments, from results of tools earlier in the conversation; the newest one counts. */
export function findKnownNames(args: JsonObject, messages: readonly Message[]): KnownName[] {
  const results = toolResults(messages).toReversed();
  return Object.entries(args).flatMap(([argument, value]) =>
    idsIn(value).flatMap((id) => {
      const found = results.map(({ tool, result }) => ({ tool, name: nameIn(result, argument, id) }));
      const newest = found.find(({ name }) => name !== undefined);
      return newest?.name === undefined ? [] : [{ argument, name: shorten(newest.name), tool: newest.tool }];
    }),
  );
}

function idsIn(value: Json): string[] {
  const values = Array.isArray(value) ? value : [value];
  return values.filter((item) => typeof item === 'string' || typeof item === 'number').map(String);
}

function toolResults(messages: readonly Message[]): { tool: string; result: Json }[] {
  const tools = new Map<string, string>();
  return messages.flatMap((message) => {
    if (message.role === 'assistant') for (const call of message.tool_calls ?? []) tools.set(call.id, call.name);
    if (message.role !== 'tool') return [];
    const result = parseJson(message.content);
    return result === undefined ? [] : [{ tool: tools.get(message.tool_call_id) ?? 'a tool', result }];
  });
}

function nameIn(value: Json, argument: string, id: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Array.isArray(value) && idOf(value, argument) === id) {
    const name = value.title ?? value.name;
    if (typeof name === 'string' && name.trim() !== '') return name;
  }
  for (const part of Object.values(value)) {
    const name = nameIn(part, argument, id);
    if (name !== undefined) return name;
  }
  return undefined;
}

/** Its own id: `task_id` may be one, but not the `user_id` beside an `id`. */
function idOf(thing: JsonObject, argument: string): string | undefined {
  const id = thing.id ?? (/(^|_)id$/.test(argument) && !hasOtherId(thing, argument) ? thing[argument] : undefined);
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

function hasOtherId(thing: JsonObject, argument: string): boolean {
  return Object.keys(thing).some((key) => /_id$/.test(key) && key !== argument);
}

function shorten(name: string): string {
  const text = sanitizeText(name).replace(/\s+/g, ' ').trim();
  const characters = [...text];
  return characters.length > MAX_CHARS ? `${characters.slice(0, MAX_CHARS - 1).join('')}…` : text;
}
