import type { Clock } from '../clock.ts';
import { createPost, type HttpReply } from '../models/http-post.ts';
import { badReply, explainStatus, modelError } from '../models/model-errors.ts';
import { explainNetwork } from '../models/network-errors.ts';
import type { Origin } from '../models/origin.ts';
import { createTextReader } from '../models/stream-reader.ts';
import { isObject, type Json, type JsonObject, parseJson } from '../schema/json.ts';
import type { KnowledgeEntry } from '../schema/knowledge/entry.ts';
import { keyVariables, type Provider, providerFacts, speaksChatCompletions } from '../schema/provider.ts';

/** A model that turns texts into vectors, as agent.yaml names it. */
export type EmbeddingConfig = Exclude<KnowledgeEntry['embedding'], 'none'>;

interface EmbedOptions {
  /** Some models embed a question differently from the text that answers it. */
  isQuestion: boolean;
  signal: AbortSignal;
}

export interface Embedder {
  /** Names the model; vectors of different models cannot be compared. */
  readonly model: string;
  /** Returns a vector of length 1 for each text, in order. Throws an AppError whose `author` says what to do. */
  embed(texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]>;
}

/** Texts of one request; Google takes at most 100. */
export const BATCH = 64;

/** How a provider takes texts and returns vectors. */
interface Dialect {
  path(name: string): string;
  body(name: string, texts: readonly string[], isQuestion: boolean): JsonObject;
  vectors(reply: JsonObject): Json[];
}

const listOf = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

const OPENAI: Dialect = {
  path: () => '/embeddings',
  body: (model, input) => ({ model, input: [...input], encoding_format: 'float' }),
  vectors: ({ data }) =>
    listOf(data)
      .sort((a, b) => Number(a.index) - Number(b.index))
      .map(({ embedding = null }) => embedding),
};

const OWN: Partial<Record<Provider, Dialect>> = {
  ollama: {
    path: () => '/api/embed',
    body: (model, input) => ({ model, input: [...input], truncate: true }),
    vectors: ({ embeddings }) => (Array.isArray(embeddings) ? embeddings : []),
  },
  google: {
    path: (name) => `/models/${encodeURIComponent(name)}:batchEmbedContents`,
    body: (name, texts, isQuestion) => ({
      requests: texts.map((text) => ({
        model: `models/${name}`,
        content: { parts: [{ text }] },
        taskType: isQuestion ? 'RETRIEVAL_QUERY' : 'RETRIEVAL_DOCUMENT',
      })),
    }),
    vectors: ({ embeddings }) => listOf(embeddings).map(({ values = null }) => values),
  },
};

export function createEmbedder(config: EmbeddingConfig, { clock }: { clock: Clock }): Embedder {
  const { provider, name } = config;
  const dialect = (!speaksChatCompletions(config) && OWN[provider]) || OPENAI;
  const base = addressOf(config);
  const url = new URL(base + dialect.path(name));
  const apiKey = config.api_key?.trim();
  const origin: Origin = { provider, model: name, host: url.host, ...(apiKey && { apiKey }) };
  const post = createPost();
  const headers = { 'content-type': 'application/json', ...keyHeaders(provider, apiKey) };

  return {
    model: `${provider} ${base} ${name}`,
    async embed(texts, { isQuestion, signal }) {
      const [variable] = keyVariables(config);
      if (variable !== undefined && !apiKey)
        throw modelError('model_key_refused', { author: `${provider} needs a key. Set ${variable}.` });
      const body = JSON.stringify(dialect.body(name, texts, isQuestion));
      const { reply, text } = await exchange(() => post({ url, headers, body, signal }), { origin, signal });
      const { status, headers: sent } = reply;
      if (status !== 200)
        throw explainStatus(origin, { status, body: text, retryAfter: sent['retry-after'] }, clock.date());
      const value = parseJson(text);
      const vectors = isObject(value) ? dialect.vectors(value).map(toUnit) : [];
      const isWhole = vectors.length === texts.length && vectors.every(({ length }) => length > 0);
      if (!isWhole) throw badReply(origin, `sent no vector for each of ${texts.length} texts`);
      return vectors;
    },
  };
}

const MAX_REPLY_CHARS = 64_000_000;

/** Sends a request and reads the whole reply, whatever its status. */
async function exchange(send: () => Promise<HttpReply>, { origin, signal }: { origin: Origin; signal: AbortSignal }) {
  let reply: HttpReply | undefined;
  try {
    reply = await send();
    const reader = createTextReader(reply.body, signal);
    let text = '';
    for (let piece = await reader.next(); piece !== undefined; piece = await reader.next()) {
      text += piece;
      if (text.length > MAX_REPLY_CHARS) throw badReply(origin, 'sent a reply without an end');
    }
    reply.release();
    return { reply, text };
  } catch (error) {
    reply?.close();
    throw signal.aborted ? signal.reason : explainNetwork(origin, error);
  }
}

/** The address without a slash at its end. Ollama's own API is beside its `/v1`; a bare address gets the usual path. */
function addressOf({ provider, endpoint }: EmbeddingConfig): string {
  const { endpoint: usual = '', defaultPath } = providerFacts(provider);
  const address = (endpoint ?? usual).replace(/\/+$/, '');
  if (provider === 'ollama') return address.replace(/\/v1$/, '');
  return defaultPath !== undefined && new URL(address).pathname === '/' ? address + defaultPath : address;
}

function keyHeaders(provider: Provider, apiKey: string | undefined): Record<string, string> {
  if (!apiKey) return {};
  if (provider === 'google') return { 'x-goog-api-key': apiKey };
  const { keyHeader } = providerFacts(provider);
  return keyHeader ? { [keyHeader]: apiKey } : { authorization: `Bearer ${apiKey}` };
}

/** The vector with length 1, so that a product of two is their cosine. Empty if it is none. */
function toUnit(value: Json): Float32Array {
  const numbers = Array.isArray(value) ? value.map(Number) : [];
  const length = Math.hypot(...numbers);
  return Float32Array.from(length > 0 && Number.isFinite(length) ? numbers : [], (one) => one / length);
}
