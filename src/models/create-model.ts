import { type Clock, systemClock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { ModelConfig } from '../schema/agent.ts';
import { type Provider, providerFacts } from '../schema/provider.ts';
import { createLazyModel } from './lazy-model.ts';
import type { Model } from './model.ts';
import type { ProviderSettings } from './provider-settings.ts';
import type { Refusals } from './refusals.ts';
import { createRetryingModel } from './retry.ts';

type Env = Readonly<Record<string, string | undefined>>;

export interface ModelDeps {
  builtin: () => Promise<Model>;
  env?: Env;
  clock?: Clock;
  random?: () => number;
  /** `limits.reply_chars`. */
  maxReplyChars?: number;
  /** Parameters that providers refused; shared by all models of the process. */
  refusals?: Refusals;
  /** Takes what the agent's author should know, as `author`. */
  log?: Log;
}

type SingleModel = Omit<ModelConfig, 'fallback'>;

/** The model that an agent file describes, with its retries and its fallback. Only the provider that is used is loaded. */
export async function createModel(config: ModelConfig, deps: ModelDeps): Promise<Model> {
  const model = await createSingle(config, deps);
  const fallback = config.fallback && (await createSingle(config.fallback, deps));
  if (config.provider === 'builtin') return model;
  return createRetryingModel(model, {
    timeoutMs: config.timeout_seconds * 1000,
    ...(deps.clock && { clock: deps.clock }),
    ...(deps.random && { random: deps.random }),
    ...(config.fallback &&
      fallback && { fallback: { model: fallback, timeoutMs: config.fallback.timeout_seconds * 1000 } }),
  });
}

const GEMINI_ENDPOINT = 'https://generativelanguage.googleapis.com/v1beta/openai';

type Maker = (settings: ProviderSettings) => Promise<Model>;

/** How each provider's model is made. Provider packages are loaded with the first request. */
const MAKERS: Record<Exclude<Provider, 'builtin'>, Maker> = {
  openai: lazily('openai', async () => (await import('./openai.ts')).createOpenAiModel),
  anthropic: lazily('anthropic', async () => (await import('./anthropic.ts')).createAnthropicModel),
  google: lazily('google', async () => (await import('./google.ts')).createGoogleModel),
  ollama: (settings) => createCompatible(settings, { provider: 'ollama' }),
  openai_compatible: (settings) => createCompatible(settings, { provider: 'openai_compatible' }),
  openrouter: (settings) => createCompatible(settings, { provider: 'openrouter' }),
  azure_openai: (settings) =>
    createCompatible(
      { ...settings, endpoint: settings.endpoint && azureEndpoint(settings.endpoint) },
      { provider: 'azure_openai', keyHeader: 'api-key' },
    ),
};

async function createSingle(config: SingleModel, deps: ModelDeps): Promise<Model> {
  if (config.provider === 'builtin') return deps.builtin();
  return MAKERS[config.provider](readSettings(config, deps));
}

function lazily(provider: Provider, load: () => Promise<(settings: ProviderSettings) => Model>): Maker {
  return async (settings) => createLazyModel(`${provider} ${settings.name}`, async () => (await load())(settings));
}

async function createCompatible(
  settings: ProviderSettings,
  own: { provider: Provider; keyHeader?: string },
): Promise<Model> {
  const endpoint = settings.endpoint ?? providerFacts(own.provider).endpoint;
  if (!endpoint) throw invalid(`model.endpoint: ${own.provider} needs an address, such as ${GEMINI_ENDPOINT}`);
  return (await import('./openai-compatible.ts')).createOpenAiCompatibleModel({ ...settings, ...own, endpoint });
}

/** A resource's bare address, as Azure's portal shows it, means its OpenAI-compatible one. */
function azureEndpoint(endpoint: string): string {
  const url = new URL(endpoint);
  if (url.pathname === '/') url.pathname = '/openai/v1';
  return url.href;
}

function readSettings(config: SingleModel, deps: ModelDeps): ProviderSettings {
  const { env = process.env, clock = systemClock, maxReplyChars, refusals, log } = deps;
  if (!config.name) throw invalid(`model.name: ${config.provider} needs the name of a model`);
  return {
    name: config.name,
    endpoint: config.endpoint,
    ...readKey(config, env),
    temperature: config.temperature,
    maxTokens: config.max_tokens,
    reasoningEffort: config.reasoning_effort,
    maxReplyChars,
    headers: config.headers,
    extraBody: config.extra_body,
    refusals,
    warn: log && ((author) => log('a setting of the model was left out', { author })),
    clock,
  };
}

function readKey(config: SingleModel, env: Env): Pick<ProviderSettings, 'apiKey' | 'keyVariable'> {
  const [usual] = providerFacts(config.provider).keyVariables ?? [];
  const apiKey = (config.api_key ?? (usual && env[usual]))?.trim();
  if (!apiKey && !usual) return {};
  if (!apiKey)
    throw invalid(`model.api_key: ${config.provider} needs a key. Set ${usual}, or write api_key: \${${usual}}`);
  const keyVariable = findVariable(env, apiKey);
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw invalid(
      `model.api_key: the key ${keyVariable ? `in ${keyVariable} ` : ''}holds a space, a line break or a letter that no key has. Copy it again`,
    );
  return { apiKey, keyVariable };
}

/** The agent file's `${VAR}` is already filled in; the variable is found again by its value. */
function findVariable(env: Env, value: string): string | undefined {
  return Object.keys(env).find((name) => env[name]?.trim() === value);
}

function invalid(detail: string): AppError {
  return new AppError('config_invalid', { detail });
}
