import type { TokenUsage } from '../../schema/conversation/token-usage.ts';

/** Tokens in the names of chat completions. The built-in model counts none. */
export function toUsage(usage: TokenUsage | undefined): TokenUsage {
  return usage ?? { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
}
