import * as z from 'zod';
import { JsonObject } from './json.ts';
import { Price } from './price.ts';
import { Provider } from './provider.ts';
import { Seconds, StringMap, Text, Url } from './scalars.ts';

const ReasoningEffort = z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']);
export type ReasoningEffort = z.infer<typeof ReasoningEffort>;

/** How a required format reaches the model: as a schema, as "some JSON object", or in the prompt only. */
const JsonMode = z.enum(['schema', 'object', 'prompt']);
export type JsonMode = z.infer<typeof JsonMode>;

const modelFields = {
  provider: Provider.default('builtin'),
  name: Text.optional(),
  endpoint: Url.optional(),
  api_key: Text.optional(),
  temperature: z.number().min(0).max(2).optional(),
  max_tokens: z.number().int().positive().max(10_000_000).optional(),
  reasoning_effort: ReasoningEffort.optional(),
  headers: StringMap.optional(),
  extra_body: JsonObject.optional(),
  json_mode: JsonMode.optional(),
  vision: z.boolean().optional(),
  price: Price.optional(),
  timeout_seconds: Seconds.optional(),
};
/** A model without a fallback. */
export const SingleModel = z.strictObject(modelFields);
export type SingleModel = z.infer<typeof SingleModel>;
export const ModelConfig = z.strictObject({ ...modelFields, fallback: SingleModel.optional() });
export type ModelConfig = z.infer<typeof ModelConfig>;

/** Families of models that read pictures, by parts of their names; gateways and local servers name them too. */
const SEEING =
  /claude-(?!2|instant)|gemini|gpt-4o|gpt-4\.1|gpt-4-turbo|gpt-[5-9]|\bo[134]\b(?!-mini-)|\bo4-mini|llava|vision|[-_.]vl\b|vl[:-]|pixtral|gemma-?3|llama-?4|minicpm-v|grok-4/i;
const BLIND = /gpt-3\.5|o1-mini|o3-mini|instruct-0914|embed|audio|realtime/i;

/** Providers whose models all read pictures, except those that are named as blind. */
const SEEING_PROVIDERS: readonly Provider[] = ['openai', 'anthropic', 'google'];

/** Whether a model reads pictures: as its author says, else by its provider and name. */
export function seesPictures({
  provider,
  name = '',
  vision,
}: Pick<SingleModel, 'provider' | 'name' | 'vision'>): boolean {
  if (vision !== undefined) return vision;
  if (provider === 'builtin' || BLIND.test(name)) return false;
  return SEEING_PROVIDERS.includes(provider) ? !/claude-(2|instant)/i.test(name) : SEEING.test(name);
}
