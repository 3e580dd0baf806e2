import { type Json, parseJson } from '../schema/json.ts';

/** A tool call as it comes over the wire: whole, or in parts that belong together by index, by id, or by order. */
export interface ToolCallPart {
  index?: number | undefined;
  id?: string | undefined;
  name?: string | undefined;
  arguments?: string | undefined;
  extra?: Json | undefined;
}

export interface CollectedCall {
  id: string;
  name: string;
  arguments: string;
  extra?: Json;
}

interface OpenCall extends CollectedCall {
  index: number | undefined;
}

/** Puts the parts of a reply's tool calls together. Calls that came without an id, or with one twice, get a new one. */
export function createCallCollector(newId: () => string) {
  const calls: OpenCall[] = [];

  function add(part: ToolCallPart): void {
    const call = findOpen(calls, part) ?? openCall(calls, part);
    if (part.id && !call.id) call.id = part.id;
    if (part.name && !call.name) call.name = part.name;
    if (part.arguments) call.arguments += part.arguments;
    if (part.extra !== undefined) call.extra = part.extra;
  }

  function finish(): CollectedCall[] {
    const seen = new Set<string>();
    return calls.map(({ index: _, ...call }) => {
      const id = call.id === '' || seen.has(call.id) ? newId() : call.id;
      seen.add(id);
      return { ...call, id, arguments: call.arguments.trim() === '' ? '{}' : call.arguments };
    });
  }

  return { add, finish };
}

function openCall(calls: OpenCall[], part: ToolCallPart): OpenCall {
  const call = { index: part.index, id: '', name: '', arguments: '' };
  calls.push(call);
  return call;
}

function findOpen(calls: OpenCall[], part: ToolCallPart): OpenCall | undefined {
  const call =
    part.index !== undefined
      ? calls.findLast((open) => open.index === part.index)
      : (part.id && calls.findLast((open) => open.id === part.id)) || (part.name ? undefined : calls.at(-1));
  return call && !beginsAnother(call, part) ? call : undefined;
}

/** Some servers number every call 0; a second id, or a name after arguments that are whole, gives the next call away. */
function beginsAnother(call: OpenCall, part: ToolCallPart): boolean {
  if (!part.name || !call.name) return false;
  if (part.id && call.id) return part.id !== call.id;
  return parseJson(call.arguments) !== undefined;
}
