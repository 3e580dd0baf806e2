import { Readable } from 'node:stream';
import type { Clock } from '../../clock.ts';
import { isObject, type Json, type JsonObject, parseJson } from '../../schema/json.ts';
import { type HttpReply, type Post, readStart } from '../http-post.ts';
import { isContextFault, readSentence } from '../model-errors.ts';
import type { Origin } from '../origin.ts';
import { createRefusals, type ProviderSettings } from './provider-settings.ts';

/** Statuses with which servers refuse a parameter; 422 comes from FastAPI. */
const REFUSED: readonly number[] = [400, 422];

export interface TolerantOptions {
  post: Post;
  origin: Origin;
  settings: ProviderSettings;
  endpoint: string;
  clock: Clock;
}

/**
 * Adds `extra_body` and `headers` to a request. If a refusal names an optional parameter, sends the request again
 * without it. The parameter is remembered once a request without it was accepted.
 */
export function createTolerantPost({ post, origin, settings, endpoint, clock }: TolerantOptions): Post {
  const { refusals = createRefusals(), extraBody, name: model, warn } = settings;
  const ownHeaders = lowerCase(settings.headers ?? {});

  return async (request) => {
    const known = refusals.read(endpoint, model);
    const headers = { ...request.headers, ...ownHeaders };
    const learned = new Map<string, string>();
    // Most requests need no change, and parsing their long text would cost time.
    let body = extraBody || known.size > 0 ? writeBody(request.body, { extraBody, refused: known }) : request.body;
    for (;;) {
      const refused = new Set([...known, ...learned.keys()]);
      const reply = await post({ ...request, headers, body });
      if (!REFUSED.includes(reply.status)) {
        if (reply.status === 200 && learned.size > 0) remember(learned, refused);
        return reply;
      }
      const error = await readStart(reply, { signal: request.signal, clock });
      const name = isContextFault(reply.status, error) ? undefined : findRefused(error, parseBody(body));
      if (name === undefined) return withBody(reply, error);
      learned.set(name, readSentence(error, origin) ?? '');
      body = writeBody(request.body, { extraBody, refused: new Set([...refused, name]) });
    }
  };

  function remember(learned: ReadonlyMap<string, string>, refused: ReadonlySet<string>): void {
    refusals.add(endpoint, model, refused);
    const warned = new Set<string>();
    for (const [name, sentence] of learned) {
      const key = authorKey(settings, name);
      if (!key || warned.has(key) || !isLost(name, refused)) continue;
      warned.add(key);
      warn?.(`${key} was left out: ${model} at ${origin.host} does not accept it${sentence && `. ${sentence}`}`);
    }
  }
}

/** The key where the author set a parameter; undefined for parameters that we add ourselves. */
function authorKey({ temperature, maxTokens, reasoningEffort, extraBody = {} }: ProviderSettings, name: string) {
  if (name in extraBody) return `model.extra_body.${name}`;
  if (name === 'temperature' && temperature !== undefined) return 'model.temperature';
  if (/^max_(completion_)?tokens$/.test(name) && maxTokens !== undefined) return 'model.max_tokens';
  if (name === 'reasoning_effort' && reasoningEffort !== undefined) return 'model.reasoning_effort';
  return undefined;
}

function writeBody(
  text: string,
  { extraBody = {}, refused }: { extraBody: JsonObject | undefined; refused: ReadonlySet<string> },
): string {
  return JSON.stringify(withoutRefused(mergeBody(parseBody(text), extraBody), refused));
}

function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function parseBody(text: string): JsonObject {
  const body = parseJson(text);
  return isObject(body) ? body : {};
}

/** The same reply with the text that was already read as its body. */
function withBody(reply: HttpReply, text: string): HttpReply {
  return { ...reply, body: Readable.from([Buffer.from(text)], { objectMode: false }) };
}

interface Parameter {
  /** The name in agent.yaml and its `extra_body`. */
  name: string;
  /** The names that providers use in their errors. */
  words: RegExp;
  /** Its places in the body, per protocol. */
  paths: readonly (readonly string[])[];
}

/** The only parameters that may be left out: without them the reply still answers the same request. */
const PARAMETERS: readonly Parameter[] = [
  {
    name: 'temperature',
    words: /(?<![\w.])temperature\b/i,
    paths: [['temperature'], ['generationConfig', 'temperature']],
  },
  { name: 'top_p', words: /\btop_?p\b/i, paths: [['top_p'], ['generationConfig', 'topP']] },
  {
    name: 'max_tokens',
    words: /\bmax_tokens\b|\bmax_?output_?tokens\b/i,
    paths: [['max_tokens'], ['max_output_tokens'], ['generationConfig', 'maxOutputTokens']],
  },
  { name: 'max_completion_tokens', words: /\bmax_completion_tokens\b/i, paths: [['max_completion_tokens']] },
  { name: 'stream_options', words: /\bstream_options\b/i, paths: [['stream_options']] },
  { name: 'parallel_tool_calls', words: /\bparallel_tool_calls\b/i, paths: [['parallel_tool_calls']] },
  {
    name: 'reasoning_effort',
    words: /\breasoning[_.]effort\b|\boutput_config\b|\beffort\b|\bthinking(_?(config|level|budget))?\b/i,
    paths: [
      ['reasoning_effort'],
      ['reasoning', 'effort'],
      ['output_config', 'effort'],
      ['thinking'],
      ['think'],
      ['generationConfig', 'thinkingConfig'],
    ],
  },
];

/** Never left out: without these the model would answer something else. */
const PROTECTED = /\b(tools|tool_choice|response_format|messages|contents|input|functions?)\b/i;

/** Two names of the same limit; each model accepts one of them. */
const TWINS: Readonly<Record<string, string>> = {
  max_tokens: 'max_completion_tokens',
  max_completion_tokens: 'max_tokens',
};

/** The parameter that an error names, if the body holds it and it may be left out. */
function findRefused(error: string, body: JsonObject): string | undefined {
  const { param, message } = readError(error);
  const sent = PARAMETERS.filter(({ paths }) => paths.some((path) => readPath(body, path) !== undefined));
  if (param !== undefined) return sent.find(({ words }) => isWhole(words, param))?.name;
  const protectedAt = message.search(PROTECTED);
  const named = sent
    .map(({ name, words }) => ({ name, at: message.search(words) }))
    .filter(({ at }) => at !== -1 && (protectedAt === -1 || at < protectedAt))
    .toSorted((a, b) => a.at - b.at);
  return named[0]?.name;
}

/** Removes the refused parameters. A limit moves to its other name unless that was refused too. */
function withoutRefused(body: JsonObject, refused: ReadonlySet<string>): JsonObject {
  const rest = structuredClone(body);
  for (const name of refused) {
    const twin = TWINS[name];
    const value = rest[name];
    if (twin !== undefined && value !== undefined && !refused.has(twin) && rest[twin] === undefined) rest[twin] = value;
    for (const path of PARAMETERS.find((parameter) => parameter.name === name)?.paths ?? []) removePath(rest, path);
  }
  return rest;
}

/** True if a refused parameter is no longer sent at all; false for a limit that is sent under its other name. */
function isLost(name: string, refused: ReadonlySet<string>): boolean {
  const twin = TWINS[name];
  return refused.has(name) && (twin === undefined || refused.has(twin));
}

interface ErrorParts {
  /** The field that the provider names separately from its sentence, if any. */
  param: string | undefined;
  message: string;
}

/** OpenAI names `param`, FastAPI servers name `loc`, others only write a sentence. */
function readError(text: string): ErrorParts {
  const body = parseJson(text);
  const error = isObject(body) && isObject(body.error) ? body.error : body;
  if (!isObject(error)) return { param: undefined, message: text };
  const { param, message, detail } = error;
  const [first] = Array.isArray(detail) ? detail : [];
  const place = isObject(first) && Array.isArray(first.loc) ? first.loc.filter((step) => step !== 'body') : [];
  const field = typeof param === 'string' && param !== '' ? param : place.length > 0 ? place.join('.') : undefined;
  return { param: field, message: typeof message === 'string' ? message : text };
}

function isWhole(words: RegExp, param: string): boolean {
  return words.exec(param)?.[0] === param;
}

function readPath(body: JsonObject, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((value, step) => (isObject(value) ? value[step] : undefined), body);
}

/** Removes a value, and the object around it if it becomes empty. */
function removePath(body: JsonObject, [first, ...rest]: readonly string[]): void {
  if (first === undefined) return;
  const inner = body[first];
  if (rest.length > 0 && isObject(inner)) removePath(inner, rest);
  if (rest.length === 0 || (isObject(inner) && Object.keys(inner).length === 0)) delete body[first];
}

/** Merges `extra` into `body`: objects are merged, other values are replaced. */
function mergeBody(body: JsonObject, extra: JsonObject): JsonObject {
  const merged = { ...body };
  for (const [key, value] of Object.entries(extra)) {
    const under = merged[key];
    merged[key] = isObject(value) && isObject(under) ? mergeBody(under, value) : value;
  }
  return merged;
}
