import type { KnownName } from '../schema/conversation/event.ts';
import type { Message } from '../schema/conversation/message.ts';
import type { ToolCall } from '../schema/conversation/tool-call.ts';
import { type Json, type JsonObject, parseJson } from '../schema/json.ts';
import { sanitizeText } from './sanitize.ts';

const MAX_CHARS = 60;
/** Names of a long list of ids would hide the arguments themselves. */
const MAX_NAMES = 20;
/** Lists of tools nest a few levels; a deeper result could exhaust the stack. */
const MAX_DEPTH = 20;

/** The results that may name an id. A client's results are left out: the approval must not rest on a caller's words. */
export interface NamingResults {
  history: readonly Message[];
  /** The turn's own calls so far. */
  calls: readonly ToolCall[];
  /** True for tools that run here. */
  isOwn(tool: string): boolean;
}

/** Finds names for the ids in a call's arguments, in earlier tool results of the conversation; the newest counts. */
export function findKnownNames(args: JsonObject, { history, calls, isOwn }: NamingResults): KnownName[] {
  const wanted = Object.entries(args).flatMap(([argument, value]) => idsIn(value).map((id) => ({ argument, id })));
  if (wanted.length === 0) return [];
  const results = [...storedResults(history), ...ownResults(calls)].filter(({ tool }) => isOwn(tool)).toReversed();
  const names = wanted.flatMap(({ argument, id }) => {
    for (const { tool, result } of results) {
      const name = nameIn(result, { argument, id, depth: 0 });
      if (name !== undefined) return [{ argument, name: shorten(name), tool }];
    }
    return [];
  });
  return names.slice(0, MAX_NAMES);
}

function idsIn(value: Json): string[] {
  const values = Array.isArray(value) ? value : [value];
  return values.filter((item) => typeof item === 'string' || typeof item === 'number').map(String);
}

interface NamedResult {
  tool: string;
  result: Json;
}

function storedResults(messages: readonly Message[]): NamedResult[] {
  const tools = new Map<string, string>();
  return messages.flatMap((message) => {
    if (message.role === 'assistant') for (const call of message.tool_calls ?? []) tools.set(call.id, call.name);
    const tool = message.role === 'tool' ? tools.get(message.tool_call_id) : undefined;
    const result = tool === undefined ? undefined : parseJson(message.content);
    return tool === undefined || result === undefined ? [] : [{ tool, result }];
  });
}

function ownResults(calls: readonly ToolCall[]): NamedResult[] {
  return calls.flatMap(({ name, state, result = null }) => {
    const read = typeof result === 'string' ? parseJson(result) : result;
    return state === 'completed' && read !== undefined ? [{ tool: name, result: read }] : [];
  });
}

function nameIn(value: Json, at: { argument: string; id: string; depth: number }): string | undefined {
  if (typeof value !== 'object' || value === null || at.depth > MAX_DEPTH) return undefined;
  if (!Array.isArray(value) && idOf(value, at.argument) === at.id) {
    const name = value.title ?? value.name;
    if (typeof name === 'string' && name.trim() !== '') return name;
  }
  for (const part of Object.values(value)) {
    const name = nameIn(part, { ...at, depth: at.depth + 1 });
    if (name !== undefined) return name;
  }
  return undefined;
}

/** The thing's own id: `task_id` may be it, but not a `user_id` next to an `id`. */
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

/** Reduces a name to the letters that a quick reader compares: no case, no separators, no invisible characters. */
export function toComparableName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\p{P}\p{Z}\p{C}\p{M}]/gu, '');
}

export function isSimilarName(name: string, other: string): boolean {
  return name !== other && toComparableName(name) === toComparableName(other);
}
