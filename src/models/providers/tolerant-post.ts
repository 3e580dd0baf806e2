import { Readable } from 'node:stream';
import type { Clock } from '../../clock.ts';
import { isObject, type JsonObject, parseJson } from '../../schema/json.ts';
import { type HttpReply, type Post, readStart } from '../http-post.ts';
import { isContextFault, readSentence } from '../model-errors.ts';
import type { Origin } from '../origin.ts';
import { findRefused, isLost, mergeBody, withoutRefused } from './parameters.ts';
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
