import { createGoogle } from '@ai-sdk/google';
import type { Model, ModelRequest } from '../model.ts';
import { createSdkModel } from './ai-sdk-model.ts';
import type { ProviderSettings } from './provider-settings.ts';

/** Gemini through its own protocol. It gives calls no ids, so we create them. */
export function createGoogleModel(settings: ProviderSettings): Model {
  return createSdkModel({
    provider: 'google',
    settings,
    create: (options) =>
      createGoogle({ ...options, generateId: () => `call_${settings.ids.ulid()}` }).languageModel(settings.name),
    jsonMode: (request) => (canCombine(settings.name) || !hasTools(request) ? 'schema' : 'prompt'),
  });
}

/** Models before Gemini 3 refuse a schema next to tools. */
function canCombine(name: string): boolean {
  return !/gemini-[12]\b/i.test(name);
}

/** Tools that were called before are declared again, even if none may be called now. */
function hasTools({ tools, messages }: ModelRequest): boolean {
  return tools.length > 0 || messages.some((message) => message.role === 'tool');
}
