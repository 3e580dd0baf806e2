import { createGoogle } from '@ai-sdk/google';
import type { Model } from '../model.ts';
import { createSdkModel } from './ai-sdk-model.ts';
import type { ProviderSettings } from './provider-settings.ts';

/** Gemini through its own protocol. It gives calls no ids, so we create them. */
export function createGoogleModel(settings: ProviderSettings): Model {
  return createSdkModel({
    provider: 'google',
    settings,
    create: (options) =>
      createGoogle({ ...options, generateId: () => `call_${settings.ids.ulid()}` }).languageModel(settings.name),
  });
}
