import type { AgentFile, Limits } from './agent.ts';
import { providerFacts } from './provider.ts';

const CONTEXT_TOKENS = 128_000;
const LEAST_REPLY_CHARS = 256_000;
/** Twice the usual characters per token, so that no answer within `max_tokens` is cut. */
const CHARS_PER_TOKEN = 8;
/** The maximum that an agent.yaml may set. */
const MAX_REPLY_CHARS = 10_000_000;

/** An agent's limits, including those that depend on its model. */
export type ModelLimits = Limits & { context_tokens: number; reply_chars: number };

export function modelLimits({ limits, model }: Pick<AgentFile, 'limits' | 'model'>): ModelLimits {
  const asked = CHARS_PER_TOKEN * (model.max_tokens ?? 0);
  return {
    ...limits,
    context_tokens: limits.context_tokens ?? providerFacts(model.provider).contextTokens ?? CONTEXT_TOKENS,
    reply_chars: limits.reply_chars ?? Math.min(MAX_REPLY_CHARS, Math.max(LEAST_REPLY_CHARS, asked)),
  };
}
