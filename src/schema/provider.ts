import * as z from 'zod';

interface ProviderFacts {
  /** Variables that usually hold its key, the preferred one first; absent = it needs none. */
  keyVariables?: readonly [string, ...string[]];
  /** Where it is reached unless `model.endpoint` names another address. */
  endpoint?: string;
  /** It has no address of its own. */
  needsEndpoint?: boolean;
}

/** Every provider of `model.provider`. The code that calls it is in `models/create-model.ts`. */
const FACTS = {
  builtin: {},
  openai: { keyVariables: ['OPENAI_API_KEY'], endpoint: 'https://api.openai.com/v1' },
  anthropic: { keyVariables: ['ANTHROPIC_API_KEY'], endpoint: 'https://api.anthropic.com/v1' },
  google: {
    keyVariables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    endpoint: 'https://generativelanguage.googleapis.com/v1beta',
  },
  ollama: { endpoint: 'http://127.0.0.1:11434/v1' },
  openai_compatible: { needsEndpoint: true },
  azure_openai: { keyVariables: ['AZURE_OPENAI_API_KEY'], needsEndpoint: true },
  openrouter: { keyVariables: ['OPENROUTER_API_KEY'], endpoint: 'https://openrouter.ai/api/v1' },
} satisfies Record<string, ProviderFacts>;

export type Provider = keyof typeof FACTS;

// the keys of an object that is written above
export const Provider = z.enum(Object.keys(FACTS) as [Provider, ...Provider[]]);

export function providerFacts(provider: Provider): ProviderFacts {
  return FACTS[provider];
}
