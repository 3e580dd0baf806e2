import { type Clock, systemClock } from '../clock.ts';
import { AppError } from '../errors.ts';
import { type Ids, systemIds } from '../ids.ts';
import type { Log } from '../log.ts';
import type { ModelConfig } from '../schema/agent.ts';
import type { Json, JsonObject } from '../schema/json.ts';
import { seesPictures } from '../schema/model-config.ts';
import { attemptSeconds } from '../schema/model-limits.ts';
import { costOf, findPrice, type Price } from '../schema/price.ts';
import {
  isLocalServer,
  keyVariables,
  type OwnProtocolProvider,
  type Provider,
  providerFacts,
  speaksChatCompletions,
} from '../schema/provider.ts';
import type { Post } from './http-post.ts';
import type { Model } from './model.ts';
import type { Windows } from './providers/ollama/window.ts';
import type { ProviderSettings, Refusals } from './providers/provider-settings.ts';
import { createRetryingModel } from './retry.ts';

type Env = Readonly<Record<string, string | undefined>>;

export interface ModelDeps {
  builtin: () => Promise<Model>;
  env?: Env;
  clock?: Clock;
  ids?: Ids;
  random?: () => number;
  /** `limits.reply_chars`. */
  maxReplyChars?: number;
  /** `limits.context_tokens`, if the file sets it. */
  contextTokens?: number | undefined;
  /** Parameters that providers refused, shared by all models of the process. */
  refusals?: Refusals;
  /** Context windows of local models, shared in the same way. */
  windows?: Windows;
  /** Whether arguments fit a tool's schema; calls that a local model writes as text are read only with it. */
  accepts?(schema: JsonObject, value: Json): Promise<boolean>;
  /** Sends the requests to providers; connections of their own by default. */
  post?: Post;
  /** Logs messages for the agent's author, in the field `author`. */
  log?: Log;
}

type SingleModel = Omit<ModelConfig, 'fallback'>;

/** Creates the model of an agent file, with its retries and its fallback. Loads only the provider that is used. */
export async function createModel(config: ModelConfig, deps: ModelDeps): Promise<Model> {
  const model = await createSingle(config, deps);
  const fallback = config.fallback && (await createSingle(config.fallback, deps));
  if (config.provider === 'builtin') return model;
  return createRetryingModel(model, {
    ...waitOf(config),
    ...(deps.clock && { clock: deps.clock }),
    ...(deps.random && { random: deps.random }),
    ...(config.fallback && fallback && { fallback: { model: fallback, ...waitOf(config.fallback) } }),
  });
}

function waitOf(config: SingleModel): { timeoutMs: number; mayLoad: boolean } {
  return { timeoutMs: attemptSeconds(config) * 1000, mayLoad: isLocalServer(config) };
}

type CreateModel = (settings: ProviderSettings) => Model;

/** Loads the code of each provider with an own protocol. Provider packages are loaded with the first request. */
const OWN_PROTOCOLS: Record<OwnProtocolProvider, () => Promise<CreateModel>> = {
  openai: async () => (await import('./providers/openai.ts')).createOpenAiModel,
  anthropic: async () => (await import('./providers/anthropic.ts')).createAnthropicModel,
  google: async () => (await import('./providers/google.ts')).createGoogleModel,
  ollama: async () => (await import('./providers/ollama/ollama.ts')).createOllamaModel,
};

async function createSingle(config: SingleModel, deps: ModelDeps): Promise<Model> {
  const { provider } = config;
  if (provider === 'builtin') return deps.builtin();
  const settings = readSettings(config, deps);
  const price = findPrice(config);
  const isOwn = hasOwnProtocol(provider) && !speaksChatCompletions(config);
  const model = isOwn
    ? createLazyModel(`${provider} ${settings.name}`, async () => (await OWN_PROTOCOLS[provider]())(settings))
    : await createCompatible(settings, provider);
  const reading = await readTextCalls(config, deps, model);
  return price ? createPricedModel(reading, price) : reading;
}

/** Small models write calls as text; the APIs of vendors never do. */
async function readTextCalls(config: SingleModel, { accepts, ids = systemIds }: ModelDeps, model: Model) {
  if (!accepts || !isLocalServer(config)) return model;
  const { createTextCallModel } = await import('./text-calls/text-call-model.ts');
  return createTextCallModel(model, { accepts, newId: () => `call_${ids.ulid()}` });
}

function hasOwnProtocol(provider: Provider): provider is OwnProtocolProvider {
  return providerFacts(provider).protocol === 'own';
}

async function createCompatible(settings: ProviderSettings, provider: Provider): Promise<Model> {
  const { endpoint: usual, keyHeader, defaultPath } = providerFacts(provider);
  const endpoint = settings.endpoint ?? usual;
  if (!endpoint) throw invalid(`model.endpoint: ${provider} needs an address, such as https://api.example.com/v1`);
  return (await import('./providers/openai-compatible.ts')).createOpenAiCompatibleModel({
    ...settings,
    provider,
    ...(keyHeader && { keyHeader }),
    endpoint: defaultPath ? withPath(endpoint, defaultPath) : endpoint,
  });
}

/** Extends a bare address, as a portal shows it, to its OpenAI-compatible address. */
function withPath(endpoint: string, path: string): string {
  const url = new URL(endpoint);
  if (url.pathname === '/') url.pathname = path;
  return url.href;
}

function readSettings(config: SingleModel, deps: ModelDeps): ProviderSettings {
  const { env = process.env, clock = systemClock, ids = systemIds, log } = deps;
  const { maxReplyChars, contextTokens, refusals, windows, post } = deps;
  if (!config.name) throw invalid(`model.name: ${config.provider} needs the name of a model`);
  return {
    name: config.name,
    endpoint: config.endpoint,
    ...readKey(config, env),
    temperature: config.temperature,
    maxTokens: config.max_tokens,
    reasoningEffort: config.reasoning_effort,
    jsonMode: config.json_mode,
    vision: seesPictures(config),
    maxReplyChars,
    headers: config.headers,
    extraBody: config.extra_body,
    contextTokens,
    refusals,
    windows,
    post,
    warn: log && ((author) => log('a setting of the model was left out', { author })),
    clock,
    ids,
  };
}

function readKey(config: SingleModel, env: Env): Pick<ProviderSettings, 'apiKey' | 'keyVariable'> {
  const usual = keyVariables(config);
  const apiKey = [config.api_key, ...usual.map((name) => env[name])].map((key) => key?.trim()).find(Boolean);
  if (!apiKey && usual.length === 0) return {};
  if (!apiKey) throw invalid(`model.api_key: ${config.provider} needs a key. Set ${usual.join(' or ')}`);
  const keyVariable = findVariable(env, apiKey);
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw invalid(
      `model.api_key: the key ${keyVariable ? `in ${keyVariable} ` : ''}holds a space, a line break or a character that no key has. Copy it again`,
    );
  return { apiKey, keyVariable };
}

/** `${VAR}` in the agent file is already replaced; the variable is found again by its value. */
function findVariable(env: Env, value: string): string | undefined {
  return Object.keys(env).find((name) => env[name]?.trim() === value);
}

function invalid(detail: string): AppError {
  return new AppError('config_invalid', { detail });
}

/** A model whose code is loaded with the first request: loading provider packages would slow every start. */
export function createLazyModel(label: string, load: () => Promise<Model>): Model {
  let loading: Promise<Model> | undefined;
  return {
    label,
    async *stream(request, options) {
      loading ??= load();
      yield* (await loading).stream(request, options);
    },
  };
}

/** A model whose usage has its cost. A cost that the model itself reports is kept. */
export function createPricedModel(model: Model, price: Price): Model {
  return {
    label: model.label,
    async *stream(request, options) {
      for await (const chunk of model.stream(request, options)) {
        if (chunk.type !== 'finish' || !chunk.usage) yield chunk;
        else
          yield { ...chunk, usage: { ...chunk.usage, cost_usd: chunk.usage.cost_usd ?? costOf(price, chunk.usage) } };
      }
    },
  };
}
