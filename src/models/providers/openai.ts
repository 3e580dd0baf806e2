import { createOpenAI } from '@ai-sdk/openai';
import { isStrict } from '../answer-format.ts';
import type { Model } from '../model.ts';
import { createSdkModel } from './ai-sdk-model.ts';
import type { ProviderSettings } from './provider-settings.ts';

/**
 * OpenAI through its Responses protocol. OpenAI stores nothing: we send the history, and reasoning returns encrypted.
 */
export function createOpenAiModel(settings: ProviderSettings): Model {
  return createSdkModel({
    provider: 'openai',
    settings,
    create: (options) => createOpenAI(options).responses(settings.name),
    providerOptions: ({ responseFormat }) => ({
      openai: { store: false, ...(responseFormat && { strictJsonSchema: isStrict(responseFormat) }) },
    }),
  });
}
