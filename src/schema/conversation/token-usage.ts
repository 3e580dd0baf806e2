import * as z from 'zod';
import { roundCost } from '../price.ts';

const Count = z.number().int().nonnegative();

export const TokenUsage = z
  .strictObject({
    prompt_tokens: Count,
    completion_tokens: Count,
    total_tokens: Count,
    /** The part of the prompt that the provider read from its cache. */
    cached_tokens: Count.optional(),
    /** The part of the prompt that the provider wrote to its cache. */
    cache_write_tokens: Count.optional(),
    /** In dollars, by the price of the model; absent if the price is unknown. */
    cost_usd: z.number().nonnegative().optional(),
  })
  .refine((usage) => usage.total_tokens === usage.prompt_tokens + usage.completion_tokens, {
    path: ['total_tokens'],
    message: 'must equal prompt_tokens + completion_tokens',
  });
export type TokenUsage = z.infer<typeof TokenUsage>;

/** The parts of the prompt that a provider's cache made cheaper or dearer; undefined = not reported. */
export interface CacheCounts {
  read?: number | undefined;
  written?: number | undefined;
}

/** The total is always computed here, never taken from a provider. */
export function tokenUsage(promptTokens: number, completionTokens: number, cache: CacheCounts = {}): TokenUsage {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    ...(cache.read && { cached_tokens: Math.min(cache.read, promptTokens) }),
    ...(cache.written && { cache_write_tokens: Math.min(cache.written, promptTokens) }),
  };
}

/** The sum has a cost only if both parts have one: a part of the cost would look like the whole. */
export function addUsage(a: TokenUsage | undefined, b: TokenUsage | undefined): TokenUsage | undefined {
  if (!a || !b) return a ?? b;
  const sum = tokenUsage(a.prompt_tokens + b.prompt_tokens, a.completion_tokens + b.completion_tokens, {
    read: (a.cached_tokens ?? 0) + (b.cached_tokens ?? 0),
    written: (a.cache_write_tokens ?? 0) + (b.cache_write_tokens ?? 0),
  });
  const isPriced = a.cost_usd !== undefined && b.cost_usd !== undefined;
  return isPriced ? { ...sum, cost_usd: roundCost((a.cost_usd ?? 0) + (b.cost_usd ?? 0)) } : sum;
}

/** A rough estimate that needs no tokenizer. The limit that it is compared with is rough too. */
export const CHARS_PER_TOKEN = 4;
/** A picture costs about this: Anthropic's and OpenAI's usual maximum. */
export const PICTURE_TOKENS = 1_600;
