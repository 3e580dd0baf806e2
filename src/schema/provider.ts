import * as z from 'zod';
import { isLoopback } from './scalars.ts';

export interface ProviderFacts {
  /** The wire protocol: `own` has a file in models/providers, `chat-completions` needs no code. Absent = no network. */
  protocol?: 'own' | 'chat-completions';
  /** Variables that usually hold the key, the preferred one first; absent if no key is needed. */
  keyVariables?: readonly [string, ...string[]];
  /** The header for the bare key, in place of `authorization`. */
  keyHeader?: string;
  /** The default address, unless `model.endpoint` names another one. */
  endpoint?: string;
  /** True if there is no default address. */
  needsEndpoint?: boolean;
  /** The path of an address that comes without one, as a portal shows it. */
  defaultPath?: string;
  /** The end of addresses of this provider that speak chat completions instead of its own protocol. */
  compatiblePath?: string;
  /** The name from the semantic conventions of OpenTelemetry; the provider's id where they define none. */
  telemetryName?: string;
  /** Whether the models run on a server of the author's own, which first has to load them. */
  localServer?: 'always' | 'on-loopback';
  /** The context window that models have by default, if it is smaller than usual. */
  contextTokens?: number;
  /** Advice when nothing answers at the address. */
  startAdvice?: string;
  /** Downloads a model, followed by its name; for advice. */
  pullCommand?: string;
  /** The list of models of a local server, for people: the server's name, and the path at its default address. */
  listing?: { title: string; path: string };
  /** Models that can call tools, for advice. */
  toolModels?: string;
  /** Advice when the server refuses tools, if its start decides that. */
  toolAdvice?: string;
}

/** Every provider of `model.provider`. A provider with an own protocol also has a row in `models/create-model.ts`. */
const PROVIDERS = {
  builtin: { telemetryName: 'holodeck' },
  openai: { protocol: 'own', keyVariables: ['OPENAI_API_KEY'], endpoint: 'https://api.openai.com/v1' },
  anthropic: { protocol: 'own', keyVariables: ['ANTHROPIC_API_KEY'], endpoint: 'https://api.anthropic.com/v1' },
  google: {
    protocol: 'own',
    keyVariables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    endpoint: 'https://generativelanguage.googleapis.com/v1beta',
    compatiblePath: '/openai',
    telemetryName: 'gcp.gemini',
  },
  ollama: {
    protocol: 'own',
    endpoint: 'http://127.0.0.1:11434',
    localServer: 'always',
    contextTokens: 32_768,
    startAdvice: 'Is Ollama running? Start it with `ollama serve`.',
    pullCommand: 'ollama pull',
    toolModels: 'qwen3 or llama3.1 (`ollama pull qwen3`)',
    listing: { title: 'Ollama', path: '/api/tags' },
  },
  lmstudio: {
    protocol: 'chat-completions',
    endpoint: 'http://127.0.0.1:1234/v1',
    defaultPath: '/v1',
    localServer: 'always',
    contextTokens: 8_000,
    startAdvice: "Is LM Studio's server running? Start it with `lms server start`.",
    pullCommand: 'lms get',
    listing: { title: 'LM Studio', path: '/v1/models' },
  },
  docker: {
    protocol: 'chat-completions',
    endpoint: 'http://127.0.0.1:12434/engines/v1',
    defaultPath: '/engines/v1',
    localServer: 'always',
    contextTokens: 8_000,
    startAdvice: 'Is Docker Model Runner on? Turn it on with `docker desktop enable model-runner --tcp 12434`.',
    pullCommand: 'docker model pull',
    listing: { title: 'Docker Model Runner', path: '/engines/v1/models' },
  },
  llamacpp: {
    protocol: 'chat-completions',
    endpoint: 'http://127.0.0.1:8080/v1',
    defaultPath: '/v1',
    localServer: 'always',
    contextTokens: 8_000,
    startAdvice: 'Is llama.cpp running? Start it with `llama-server -m model.gguf --jinja`.',
    toolAdvice: 'Start it with `llama-server -m model.gguf --jinja`.',
    listing: { title: 'llama.cpp', path: '/v1/models' },
  },
  openai_compatible: { protocol: 'chat-completions', needsEndpoint: true, localServer: 'on-loopback' },
  azure_openai: {
    protocol: 'chat-completions',
    keyVariables: ['AZURE_OPENAI_API_KEY'],
    keyHeader: 'api-key',
    needsEndpoint: true,
    defaultPath: '/openai/v1',
    telemetryName: 'azure.ai.openai',
  },
  openrouter: {
    protocol: 'chat-completions',
    keyVariables: ['OPENROUTER_API_KEY'],
    endpoint: 'https://openrouter.ai/api/v1',
  },
} as const satisfies Record<string, ProviderFacts>;

export type Provider = keyof typeof PROVIDERS;

/** A provider whose protocol is code of its own. */
export type OwnProtocolProvider = {
  [Id in Provider]: (typeof PROVIDERS)[Id] extends { protocol: 'own' } ? Id : never;
}[Provider];

// The cast is safe: these are the keys of the object above.
export const Provider = z.enum(Object.keys(PROVIDERS) as [Provider, ...Provider[]]);

export function providerFacts(provider: Provider): ProviderFacts {
  return PROVIDERS[provider];
}

/** The keys of a model that decide which server answers. */
interface ServedModel {
  provider: Provider;
  endpoint?: string | undefined;
}

/**
 * The variables that usually hold the key of a model, the preferred one first; empty if it needs none. A provider
 * without its own takes those of the vendor whose address it names: the key goes to that vendor only.
 */
export function keyVariables({ provider, endpoint }: ServedModel): readonly string[] {
  const { keyVariables: own } = providerFacts(provider);
  const origin = endpoint === undefined ? undefined : URL.parse(endpoint)?.origin;
  if (own || origin === undefined) return own ?? [];
  const vendors = Provider.options.map(providerFacts);
  return vendors.find((vendor) => vendor.endpoint && new URL(vendor.endpoint).origin === origin)?.keyVariables ?? [];
}

/** True if the address speaks chat completions, although its provider has an own protocol. */
export function speaksChatCompletions({ provider, endpoint }: ServedModel): boolean {
  const { compatiblePath } = providerFacts(provider);
  const path = URL.parse(endpoint ?? '')?.pathname.replace(/\/+$/, '');
  return compatiblePath !== undefined && path?.endsWith(compatiblePath) === true;
}

/** True if the model is loaded by a server of the author's own, so that its first reply may take minutes. */
export function isLocalServer({ provider, endpoint }: ServedModel): boolean {
  const { localServer } = providerFacts(provider);
  if (localServer !== 'on-loopback') return localServer === 'always';
  return endpoint !== undefined && isLoopback(URL.parse(endpoint)?.hostname ?? '');
}
