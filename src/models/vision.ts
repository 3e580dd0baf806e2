import type { ModelConfig } from '../schema/agent.ts';
import type { Provider } from '../schema/provider.ts';

type SingleModel = Pick<ModelConfig, 'provider' | 'name' | 'vision'>;

/** Families of models that read pictures, by parts of their names; gateways and local servers name them too. */
const SEEING =
  /claude-(?!2|instant)|gemini|gpt-4o|gpt-4\.1|gpt-4-turbo|gpt-[5-9]|\bo[134]\b(?!-mini-)|\bo4-mini|llava|vision|[-_.]vl\b|vl[:-]|pixtral|gemma-?3|llama-?4|minicpm-v|grok-4/i;
const BLIND = /gpt-3\.5|o1-mini|o3-mini|instruct-0914|embed|audio|realtime/i;

/** Providers whose models all read pictures, except those that are named as blind. */
const SEEING_PROVIDERS: readonly Provider[] = ['openai', 'anthropic', 'google'];

/** Whether a model reads pictures: as its author says, else by its provider and name. */
export function seesPictures({ provider, name = '', vision }: SingleModel): boolean {
  if (vision !== undefined) return vision;
  if (provider === 'builtin' || BLIND.test(name)) return false;
  return SEEING_PROVIDERS.includes(provider) ? !/claude-(2|instant)/i.test(name) : SEEING.test(name);
}
