import * as z from 'zod';

const Count = z.number().int().nonnegative();

export const TokenUsage = z
  .strictObject({ prompt_tokens: Count, completion_tokens: Count, total_tokens: Count })
  .refine((usage) => usage.total_tokens === usage.prompt_tokens + usage.completion_tokens, {
    path: ['total_tokens'],
    message: 'must equal prompt_tokens + completion_tokens',
  });
export type TokenUsage = z.infer<typeof TokenUsage>;

/** The total is always computed here, never taken from a provider. */
export function tokenUsage(promptTokens: number, completionTokens: number): TokenUsage {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}

export function addUsage(a: TokenUsage | undefined, b: TokenUsage | undefined): TokenUsage | undefined {
  if (!a || !b) return a ?? b;
  return tokenUsage(a.prompt_tokens + b.prompt_tokens, a.completion_tokens + b.completion_tokens);
}
