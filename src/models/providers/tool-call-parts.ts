import type { Json } from '../../schema/json.ts';

/** A tool call on the wire: whole, or in parts that belong together by index, by id or by order. */
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
  isWhole: WholeCheck;
}

/** Joins the parts of a reply's tool calls. Calls without an id, or with a repeated one, get a new id. */
export function createCallCollector(newId: () => string) {
  const calls: OpenCall[] = [];
  const byIndex = new Map<number, OpenCall>();
  const byId = new Map<string, OpenCall>();

  function find({ index, id, name }: ToolCallPart): OpenCall | undefined {
    if (index !== undefined) return byIndex.get(index);
    return (id && byId.get(id)) || (name ? undefined : calls.at(-1));
  }

  function open({ index }: ToolCallPart): OpenCall {
    const call = { id: '', name: '', arguments: '', isWhole: createWholeCheck() };
    calls.push(call);
    if (index !== undefined) byIndex.set(index, call);
    return call;
  }

  /** Returns the call's position and name so far. */
  function add(part: ToolCallPart): { index: number; name: string } {
    const found = find(part);
    const call = found && !beginsAnother(found, part) ? found : open(part);
    if (part.id && !call.id) {
      call.id = part.id;
      byId.set(part.id, call);
    }
    if (part.name && !call.name) call.name = part.name;
    if (part.arguments) {
      call.arguments += part.arguments;
      call.isWhole.push(part.arguments);
    }
    if (part.extra !== undefined) call.extra = part.extra;
    return { index: calls.indexOf(call), name: call.name };
  }

  function finish(): CollectedCall[] {
    const seen = new Set<string>();
    return calls.map(({ isWhole: _, ...call }) => {
      const id = call.id === '' || seen.has(call.id) ? newId() : call.id;
      seen.add(id);
      return { ...call, id, arguments: call.arguments.trim() === '' ? '{}' : call.arguments };
    });
  }

  return { add, finish };
}

/** Some servers give every call index 0. A new id, or a name after complete arguments, then marks the next call. */
function beginsAnother(call: OpenCall, part: ToolCallPart): boolean {
  if (!part.name || !call.name) return false;
  if (part.id && call.id) return part.id !== call.id;
  return call.isWhole.read();
}

interface WholeCheck {
  push(text: string): void;
  /** True if the text so far is a complete JSON object. */
  read(): boolean;
}

/** Reads each character once: parsing the whole text again with every part would take quadratic time. */
function createWholeCheck(): WholeCheck {
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  let hasOpened = false;
  return {
    push(text) {
      for (const char of text) {
        if (isEscaped) isEscaped = false;
        else if (isInString && char === '\\') isEscaped = true;
        else if (char === '"') isInString = !isInString;
        else if (!isInString && (char === '{' || char === '[')) {
          depth++;
          hasOpened = true;
        } else if (!isInString && (char === '}' || char === ']')) depth--;
      }
    },
    read: () => hasOpened && depth === 0 && !isInString,
  };
}
