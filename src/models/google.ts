import { createGoogle } from '@ai-sdk/google';
import { newUlid } from '../schema/new-ulid.ts';
import { createSdkModel } from './ai-sdk-model.ts';
import type { Model } from './model.ts';
import type { ProviderSettings } from './provider-settings.ts';

/** Gemini by its own protocol. It gives calls no ids, so they are made here. */
export function createGoogleModel(settings: ProviderSettings): Model {
  return createSdkModel({
    provider: 'google',
    settings,
    create: (options) =>
      createGoogle({ ...options, generateId: () => `call_${newUlid()}` }).languageModel(settings.name),
  });
}
