import { isObject, type Json, type JsonObject, parseJson } from '../../schema/json.ts';

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
export function findRefused(error: string, body: JsonObject): string | undefined {
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
export function withoutRefused(body: JsonObject, refused: ReadonlySet<string>): JsonObject {
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
export function isLost(name: string, refused: ReadonlySet<string>): boolean {
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
export function mergeBody(body: JsonObject, extra: JsonObject): JsonObject {
  const merged = { ...body };
  for (const [key, value] of Object.entries(extra)) {
    const under = merged[key];
    merged[key] = isObject(value) && isObject(under) ? mergeBody(under, value) : value;
  }
  return merged;
}
