import { createOpenAI } from '@ai-sdk/openai';
import { createSdkModel } from './ai-sdk-model.ts';
import type { Model } from './model.ts';
import type { ProviderSettings } from './provider-settings.ts';

/** OpenAI by its Responses protocol. Nothing is kept there: the history is ours, reasoning comes back encrypted. */
export function createOpenAiModel(settings: ProviderSettings): Model {
  return createSdkModel({
    provider: 'openai',
    settings,
    create: (options) => createOpenAI(options).responses(settings.name),
    providerOptions: { openai: { store: false } },
  });
}
