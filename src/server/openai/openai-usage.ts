import type { TokenUsage } from '../../schema/conversation/token-usage.ts';

/** Tokens in the names of chat completions. The built-in model counts none. `cost` is in dollars, as OpenRouter has it. */
export function toUsage(usage: TokenUsage | undefined): Record<string, unknown> {
  const { prompt_tokens = 0, completion_tokens = 0, total_tokens = 0, cached_tokens, cost_usd } = usage ?? {};
  return {
    prompt_tokens,
    completion_tokens,
    total_tokens,
    ...(cached_tokens !== undefined && { prompt_tokens_details: { cached_tokens } }),
    ...(cost_usd !== undefined && { cost: cost_usd }),
  };
}
