import type { AgentFile, Limits } from './agent.ts';
import type { SingleModel } from './model-config.ts';
import { isLocalServer, providerFacts } from './provider.ts';

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

const ATTEMPT_SECONDS = 30;
/** A local server first loads the model, which takes minutes for a large one. */
const LOCAL_ATTEMPT_SECONDS = 300;
const LEAST_ITERATION_SECONDS = 30;
const LEAST_ANSWER_SECONDS = 60;
/** The time of an answer beyond one attempt of its model. */
const BESIDE_ATTEMPT_SECONDS = 30;

/** An agent's limits in seconds, including those that depend on its model. */
export interface TimeLimits {
  /** Limits an attempt of the model, and so its first byte and its longest pause. */
  attempt: number;
  /** Limits a model reply with its retries. */
  iteration: number;
  tool: number;
  answer: number;
}

/** A slow model raises the limits that the file does not set. */
export function timeLimits({ loop, model }: Pick<AgentFile, 'loop' | 'model'>): TimeLimits {
  const attempt = attemptSeconds(model);
  const longest = Math.max(attempt, model.fallback ? attemptSeconds(model.fallback) : 0);
  return {
    attempt,
    iteration: loop.iteration_timeout_seconds ?? Math.max(LEAST_ITERATION_SECONDS, longest),
    tool: loop.tool_timeout_seconds,
    answer: loop.answer_timeout_seconds ?? Math.max(LEAST_ANSWER_SECONDS, longest + BESIDE_ATTEMPT_SECONDS),
  };
}

/** The longest attempt of a model, which may be a fallback or a judge. */
export function attemptSeconds(model: SingleModel): number {
  return model.timeout_seconds ?? (isLocalServer(model) ? LOCAL_ATTEMPT_SECONDS : ATTEMPT_SECONDS);
}
