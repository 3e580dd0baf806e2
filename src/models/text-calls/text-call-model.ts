import { isObject, type Json, type JsonObject, parseJson } from '../../schema/json.ts';
import type { Model, ModelChunk, ModelRequest } from '../model.ts';

export interface TextCallOptions {
  /** Whether arguments fit the schema of their tool. */
  accepts(schema: JsonObject, value: Json): Promise<boolean>;
  newId(): string;
}

/** A longer reply is an answer, not a list of calls. */
const HELD_CHARS = 4_000;

/**
 * A small model that writes its calls as text. A reply that begins like a call is held until it is decided. It counts as
 * calls only if all of it is calls of offered tools with valid arguments; otherwise it is the answer, as it is.
 */
export function createTextCallModel(model: Model, options: TextCallOptions): Model {
  return {
    label: model.label,
    async *stream(request, streaming) {
      const names = request.tools.map(({ name }) => name);
      let held: string | undefined = names.length > 0 ? '' : undefined;
      for await (const chunk of model.stream(request, streaming)) {
        if (held === undefined || (chunk.type !== 'text' && chunk.type !== 'tool-call' && chunk.type !== 'finish')) {
          yield chunk;
        } else if (chunk.type === 'text') {
          held += chunk.text;
          if (held.length <= HELD_CHARS && mayBeCall(held, names)) continue;
          yield { type: 'text', text: held };
          held = undefined;
        } else {
          const calls =
            chunk.type === 'finish' && chunk.reason === 'stop' ? await findCalls(held, request, options) : undefined;
          if (calls) yield* calls;
          else if (held !== '') yield { type: 'text', text: held };
          held = undefined;
          yield calls && chunk.type === 'finish' ? { ...chunk, reason: 'tool-calls' } : chunk;
        }
      }
    },
  };
}

async function findCalls(
  text: string,
  { tools }: ModelRequest,
  { accepts, newId }: TextCallOptions,
): Promise<ModelChunk[] | undefined> {
  const calls = readTextCalls(text);
  if (!calls) return undefined;
  for (const call of calls) {
    const tool = tools.find(({ name }) => name === call.name);
    if (!tool || !(await accepts(tool.inputSchema, call.arguments))) return undefined;
  }
  return calls.map(({ name, arguments: args }) => ({
    type: 'tool-call',
    id: newId(),
    name,
    arguments: JSON.stringify(args),
  }));
}

interface TextCall {
  name: string;
  arguments: JsonObject;
}

/** Starts of the forms in which models write calls as text. */
const STARTS = ['<tool_call>', '<function=', '<|python_tag|>', '[TOOL_CALLS]', '```', '{', '['];

/** True if a text may become a call: it begins like one of the forms, or like one of the tools with its arguments. */
function mayBeCall(text: string, names: readonly string[]): boolean {
  const begun = text.trimStart();
  if (begun === '') return true;
  const starts = [...STARTS, ...names.map((name) => `${name}(`)];
  return starts.some((start) => begun.startsWith(start) || start.startsWith(begun));
}

/** Reads a text that consists of calls and nothing else; undefined for any other text. */
function readTextCalls(text: string): TextCall[] | undefined {
  const whole = text.trim();
  for (const read of [readTagged, readFunctionTags, readJson, readPython]) {
    const calls = read(whole);
    if (calls && calls.length > 0) return calls;
  }
  return undefined;
}

/** Qwen and Hermes: `<tool_call>{…}</tool_call>`, repeated. */
function readTagged(text: string): TextCall[] | undefined {
  if (!text.startsWith('<tool_call>')) return undefined;
  const parts = text.split(/<\/?tool_call>/);
  const [between, inside] = [0, 1].map((rest) => parts.filter((_, index) => index % 2 === rest));
  if (between?.some((part) => part.trim() !== '')) return undefined;
  return all((inside ?? []).map((part) => toCall(parseJson(part.trim()))));
}

/** Llama 3.1: `<function=name>{…}</function>`. */
function readFunctionTags(text: string): TextCall[] | undefined {
  const found = [...text.matchAll(/<function=([\w.-]+)>([^<]*)<\/function>/g)];
  if (found.map(([part]) => part).join('') !== text.replace(/>\s+</g, '><')) return undefined;
  return all(found.map(([, name, args]) => toCall({ name: name ?? '', arguments: parseJson(args ?? '') ?? null })));
}

/** Llama, Mistral and others: one object or a list of them, bare, in a fence or after a marker. */
function readJson(text: string): TextCall[] | undefined {
  const bare = text.replace(/^(?:<\|python_tag\|>|\[TOOL_CALLS\])\s*/, '');
  const fenced = /^```(?:json)?\n([^`]*)```$/.exec(bare);
  const value = parseJson(fenced?.[1] ?? bare);
  if (value === undefined) return undefined;
  return all((Array.isArray(value) ? value : [value]).map(toCall));
}

function toCall(value: Json | undefined): TextCall | undefined {
  if (!isObject(value)) return undefined;
  if (isObject(value.function)) return toCall(value.function);
  const { name, arguments: given, parameters } = value;
  const read = given ?? parameters;
  const args = typeof read === 'string' ? parseJson(read) : read;
  return typeof name === 'string' && isObject(args) ? { name, arguments: args } : undefined;
}

/** Llama 3.2 and 4: `[name(a=1, b="x"), other()]`, also without the brackets. */
function readPython(text: string): TextCall[] | undefined {
  const inner = /^\[([\s\S]*)\]$/.exec(text)?.[1] ?? text;
  return all(splitOutside(inner).map(readCall));
}

function readCall(text: string): TextCall | undefined {
  const [, name, args] = /^([A-Za-z_][\w.-]*)\(([\s\S]*)\)$/.exec(text.trim()) ?? [];
  if (name === undefined || args === undefined) return undefined;
  const pairs = args.trim() === '' ? [] : splitOutside(args).map(readPair);
  const known = all(pairs);
  return known && { name, arguments: Object.fromEntries(known) };
}

function readPair(text: string): [string, Json] | undefined {
  const [, key, written] = /^\s*([A-Za-z_]\w*)\s*=([\s\S]*)$/.exec(text) ?? [];
  const value = written === undefined ? undefined : readValue(written.trim());
  return key === undefined || value === undefined ? undefined : [key, value];
}

const PYTHON_WORDS: Readonly<Record<string, Json>> = { True: true, False: false, None: null };

function readValue(text: string): Json | undefined {
  const single = /^'([^'\\]*)'$/.exec(text);
  if (single) return single[1];
  return Object.hasOwn(PYTHON_WORDS, text) ? PYTHON_WORDS[text] : parseJson(text);
}

/** Splits at commas outside of quotes and brackets; reads each character once. */
function splitOutside(text: string): string[] {
  const parts = [''];
  let depth = 0;
  let quote = '';
  let isEscaped = false;
  for (const char of text) {
    if (quote === '' && depth === 0 && char === ',') {
      parts.push('');
      continue;
    }
    parts.push(`${parts.pop()}${char}`);
    if (isEscaped) isEscaped = false;
    else if (quote !== '') {
      if (char === '\\') isEscaped = true;
      else if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if ('([{'.includes(char)) depth++;
    else if (')]}'.includes(char)) depth--;
  }
  return parts;
}

function all<T>(values: readonly (T | undefined)[]): T[] | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === values.length ? known : undefined;
}
