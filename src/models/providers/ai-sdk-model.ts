import type { Clock } from '../../clock.ts';
import type { JsonMode } from '../../schema/model-config.ts';
import { type OwnProtocolProvider, providerFacts } from '../../schema/provider.ts';
import { createGuardedFetch } from '../guarded-fetch.ts';
import { createPost } from '../http-post.ts';
import { endsWithResults, type Model, type ModelChunk, type ModelRequest, type StreamOptions } from '../model.ts';
import type { Origin } from '../origin.ts';
import { explainSdkError } from './ai-sdk-errors.ts';
import type { CallOptions, LanguageModel, StreamPart } from './ai-sdk-parts.ts';
import { writePrompt } from './ai-sdk-prompt.ts';
import { createSdkReply } from './ai-sdk-reply.ts';
import type { ProviderSettings } from './provider-settings.ts';
import { createTolerantPost } from './tolerant-post.ts';

export interface SdkProvider {
  provider: OwnProtocolProvider;
  settings: ProviderSettings;
  create(options: { baseURL: string; apiKey: string; fetch: typeof fetch }): LanguageModel;
  /** Options of a request in the provider's own words. */
  providerOptions?(request: ModelRequest): CallOptions['providerOptions'];
  /** How a required format is sent with this request, if the author did not decide it. */
  jsonMode?(request: ModelRequest): JsonMode;
  /** Whether the provider caches only what is marked; others cache by themselves. */
  marksCache?: boolean;
}

interface Connection {
  model: LanguageModel;
  origin: Origin;
  label: string;
  clock: Clock;
  maxChars: number | undefined;
  options: Pick<CallOptions, 'temperature' | 'maxOutputTokens' | 'reasoning'>;
  providerOptions: SdkProvider['providerOptions'];
  jsonMode(request: ModelRequest): JsonMode;
  vision: boolean | undefined;
  marksCache: boolean;
  /** Reports settings that the package itself left out. */
  warn(part: StreamPart): void;
}

/** A model behind a provider package, called through `doStream`. */
export function createSdkModel({
  provider,
  settings,
  create,
  providerOptions,
  jsonMode,
  marksCache = false,
}: SdkProvider): Model {
  const { name, apiKey = '', keyVariable, clock, temperature, maxTokens, reasoningEffort } = settings;
  const { endpoint = providerFacts(provider).endpoint ?? '' } = settings;
  const baseURL = endpoint.replace(/\/+$/, '');
  const origin = {
    provider,
    model: name,
    host: new URL(baseURL).host,
    apiKey,
    ...(keyVariable && { keyVariable }),
    headerValues: Object.values(settings.headers ?? {}),
  };
  const post = createTolerantPost({ post: settings.post ?? createPost(), origin, settings, endpoint: baseURL, clock });
  const connection: Connection = {
    model: create({ baseURL, apiKey, fetch: createGuardedFetch({ origin, post }) }),
    origin,
    label: `${provider} ${name}`,
    clock,
    maxChars: settings.maxReplyChars,
    options: {
      ...(temperature !== undefined && { temperature }),
      ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
      ...(reasoningEffort !== undefined && { reasoning: reasoningEffort }),
    },
    providerOptions,
    jsonMode: (request) => settings.jsonMode ?? jsonMode?.(request) ?? 'schema',
    vision: settings.vision,
    marksCache,
    warn: warnOnce(settings, origin),
  };
  return { label: connection.label, stream: (request, options) => streamReply(connection, request, options) };
}

async function* streamReply(
  connection: Connection,
  request: ModelRequest,
  options: StreamOptions,
): AsyncGenerator<ModelChunk> {
  const { origin, label, clock } = connection;
  const { signal } = options;
  const mayBeEmpty = endsWithResults(request);
  const reply = createSdkReply({ origin, label, date: clock.date, mayBeEmpty, maxChars: connection.maxChars });
  signal.throwIfAborted();
  let reader: ReadableStreamDefaultReader<StreamPart> | undefined;
  try {
    reader = (await openStream(connection, request, options)).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      connection.warn(value);
      const chunk = reply.read(value);
      if (chunk) yield chunk;
      if (reply.isCut()) break;
    }
    options.onResponse?.(reply.response);
    yield* reply.finish();
  } catch (error) {
    throw signal.aborted ? signal.reason : explainSdkError(origin, error, clock.date());
  } finally {
    reader?.cancel().catch(() => {});
  }
}

const FEATURES: Readonly<Record<string, string>> = {
  temperature: 'model.temperature',
  maxOutputTokens: 'model.max_tokens',
  reasoning: 'model.reasoning_effort',
  reasoningEffort: 'model.reasoning_effort',
};

/** The packages leave out settings that some models refuse. The author is warned once per setting. */
function warnOnce({ name, warn }: ProviderSettings, { host }: Origin): Connection['warn'] {
  const known = new Set<string>();
  return (part) => {
    if (part.type !== 'stream-start') return;
    for (const warning of part.warnings) {
      const key = warning.type === 'unsupported' ? FEATURES[warning.feature] : undefined;
      if (!key || known.has(key)) continue;
      known.add(key);
      warn?.(`${key} was left out: ${name} at ${host} does not accept it`);
    }
  };
}

async function openStream(
  { model, label, options, providerOptions, jsonMode, vision, marksCache }: Connection,
  request: ModelRequest,
  { signal }: StreamOptions,
): Promise<ReadableStream<StreamPart>> {
  const own = providerOptions?.(request);
  const prompt = {
    ...writePrompt(request, label, { jsonMode: jsonMode(request), vision, marksCache }),
    ...(own && { providerOptions: own }),
  };
  const trace = request.traceparent && { headers: { traceparent: request.traceparent } };
  const { stream } = await model.doStream({ ...prompt, ...options, ...trace, abortSignal: signal });
  return stream;
}
