import { type Clock, systemClock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { ModelConfig, Provider } from '../schema/agent.ts';
import { createLazyModel } from './lazy-model.ts';
import type { Model } from './model.ts';
import type { ProviderSettings } from './provider-settings.ts';
import { createRetryingModel } from './retry.ts';

const OLLAMA_ENDPOINT = 'http://127.0.0.1:11434/v1';
const GEMINI_ENDPOINT = 'https://generativelanguage.googleapis.com/v1beta/openai';

/** Where a key is looked for when the file names none. */
const KEY_VARIABLES: Partial<Record<Provider, string>> = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  google: 'GEMINI_API_KEY',
};

type Env = Readonly<Record<string, string | undefined>>;

export interface ModelDeps {
  builtin: () => Promise<Model>;
  env?: Env;
  clock?: Clock;
  random?: () => number;
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

async function createSingle(config: SingleModel, deps: ModelDeps): Promise<Model> {
  if (config.provider === 'builtin') return deps.builtin();
  const settings = readSettings(config, deps);
  switch (config.provider) {
    case 'ollama':
      return createCompatible({ ...settings, endpoint: config.endpoint ?? OLLAMA_ENDPOINT, provider: 'ollama' });
    case 'openai_compatible':
      if (!config.endpoint)
        throw invalid(`model.endpoint: openai_compatible needs an address, such as ${GEMINI_ENDPOINT}`);
      return createCompatible({ ...settings, endpoint: config.endpoint });
    case 'anthropic':
      return createLazyModel(`anthropic ${settings.name}`, async () =>
        (await import('./anthropic.ts')).createAnthropicModel(settings),
      );
    case 'google':
      return createLazyModel(`google ${settings.name}`, async () =>
        (await import('./google.ts')).createGoogleModel(settings),
      );
    case 'openai':
      return createLazyModel(`openai ${settings.name}`, async () =>
        (await import('./openai.ts')).createOpenAiModel(settings),
      );
  }
}

async function createCompatible(settings: ProviderSettings & { endpoint: string; provider?: string }): Promise<Model> {
  return (await import('./openai-compatible.ts')).createOpenAiCompatibleModel(settings);
}

function readSettings(config: SingleModel, { env = process.env, clock = systemClock }: ModelDeps): ProviderSettings {
  if (!config.name) throw invalid(`model.name: ${config.provider} needs the name of a model`);
  return {
    name: config.name,
    endpoint: config.endpoint,
    ...readKey(config, env),
    temperature: config.temperature,
    maxTokens: config.max_tokens,
    clock,
  };
}

function readKey(config: SingleModel, env: Env): Pick<ProviderSettings, 'apiKey' | 'keyVariable'> {
  const usual = KEY_VARIABLES[config.provider];
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
