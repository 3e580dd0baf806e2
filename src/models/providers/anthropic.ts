import { createAnthropic } from '@ai-sdk/anthropic';
import type { Model } from '../model.ts';
import { createSdkModel } from './ai-sdk-model.ts';
import type { ProviderSettings } from './provider-settings.ts';

export function createAnthropicModel(settings: ProviderSettings): Model {
  return createSdkModel({
    provider: 'anthropic',
    settings,
    create: (options) => createAnthropic(options).languageModel(settings.name),
    marksCache: true,
  });
}
