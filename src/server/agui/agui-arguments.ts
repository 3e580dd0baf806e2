import type { Event, EventOf } from '../../schema/conversation/event.ts';
import type { ToolCall } from '../../schema/conversation/tool-call.ts';
import { isObject, type JsonObject, parseJson } from '../../schema/json.ts';
import { sanitizeJson } from '../../tools/sanitize.ts';
import type { StreamFrame } from '../stream/translator.ts';
import { aguiFrame } from './agui-open-parts.ts';
import type { StateKeeper } from './agui-state.ts';

/** The calls whose arguments a reader gets as the model writes them, and their prediction in the shared state. */
export interface ArgumentStream {
  add(event: EventOf<'tool-call-delta'>): StreamFrame[];
  hasOpen(): boolean;
  /** True if the reader has arguments that no call has. Then it needs the messages as they are. */
  isBroken(event: Event): boolean;
  /** Ends a call that has started; undefined if the reader has nothing of it. */
  start(call: ToolCall): StreamFrame[] | undefined;
  /** Ends the calls that the reply does not have: the model was asked again. */
  drop(reply: EventOf<'step-end'>): StreamFrame[];
  closeAll(): StreamFrame[];
}

/** Longer arguments are not predicted: each piece would be read again from the start. */
const MAX_PREDICTED = 4_000;

export function createArgumentStream(state: StateKeeper): ArgumentStream {
  const open = new Map<string, string>();
  const close = (ids: readonly string[]) =>
    ids.flatMap((toolCallId) => (open.delete(toolCallId) ? [aguiFrame('TOOL_CALL_END', { toolCallId })] : []));
  const forget = (ids: readonly string[]) => {
    for (const id of ids) state.predict(id, undefined);
  };
  const unfinished = ({ message }: EventOf<'step-end'>) => {
    const made = message?.tool_calls?.map(({ id }) => id) ?? [];
    return [...open.keys()].filter((id) => !made.includes(id));
  };
  return {
    add(event) {
      const { call_id: toolCallId, tool: toolCallName, message_id: parentMessageId, start, text: delta } = event;
      const had = open.get(toolCallId);
      // A reader that came late gets the whole call at its start.
      if (had === undefined ? start > 0 : start !== had.length) return [];
      const text = (had ?? '') + delta;
      open.set(toolCallId, text);
      const args = text.length <= MAX_PREDICTED ? readPartial(text) : undefined;
      if (args) state.predict(toolCallId, { tool: toolCallName, arguments: args });
      const begin = aguiFrame('TOOL_CALL_START', { toolCallId, toolCallName, parentMessageId });
      const piece = aguiFrame('TOOL_CALL_ARGS', { toolCallId, delta });
      return [...(had === undefined ? [begin] : []), piece, ...state.changes()];
    },
    hasOpen: () => open.size > 0,
    isBroken(event) {
      if (event.type === 'step-end') return unfinished(event).length > 0;
      if (event.type !== 'tool-call-start') return false;
      const text = open.get(event.call.id);
      return text !== undefined && !isSame(parseJson(text), event.call.arguments);
    },
    start: ({ id }) => (open.has(id) ? close([id]) : undefined),
    drop(reply) {
      const ids = unfinished(reply);
      forget(ids);
      return [...close(ids), ...(ids.length > 0 ? state.changes() : [])];
    },
    closeAll() {
      const ids = [...open.keys()];
      forget(ids);
      return close(ids);
    },
  };
}

function isSame(one: unknown, other: JsonObject): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Text beyond this is not read again with each piece. */
const MAX_READ_CHARS = 4_000;

/** Reads an object that is still being written: an open text or bracket is closed, an unfinished key is left out. */
function readPartial(text: string): JsonObject | undefined {
  if (text.length > MAX_READ_CHARS) return undefined;
  const closers: string[] = [];
  let isInText = false;
  for (let index = 0; index < text.length; index++) {
    const char = text[index];
    if (isInText && char === '\\') index++;
    else if (char === '"') isInText = !isInText;
    else if (!isInText && (char === '{' || char === '[')) closers.unshift(char === '{' ? '}' : ']');
    else if (!isInText && (char === '}' || char === ']')) closers.shift();
  }
  const end = closers.join('');
  const read = parseJson(`${text}${isInText ? '"' : ''}${end}`) ?? parseJson(`${text.replace(/,\s*$/, '')}${end}`);
  return isObject(read) ? (sanitizeJson(read) as JsonObject) : undefined; // a sanitized object stays an object
}
