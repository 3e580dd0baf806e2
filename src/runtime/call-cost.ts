import { estimateTokens } from '../agent/fit-messages.ts';
import type { ModelRequest } from '../models/model.ts';
import type { Agent } from '../schema/agent.ts';
import { CHARS_PER_TOKEN, PICTURE_TOKENS } from '../schema/conversation/token-usage.ts';
import { modelLimits } from '../schema/model-limits.ts';
import { costOf, findPrice, type Price } from '../schema/price.ts';

/** The usual length of a reply, unless `model.max_tokens` is less. */
const REPLY_TOKENS = 2_000;
/** More than the models of the price list write: a reply that was reasoned in silence is counted by its time. */
const TOKENS_PER_SECOND = 200;

/** The possible costs of one model call, in dollars. Of several models that may answer, the most expensive counts. */
export interface CallCost {
  /** With a reply of the usual length. */
  usual: number;
  /** With the longest reply. */
  most: number;
  /** The cost of a call that was cut off after this time and output; never less than the cost of the output. */
  cutAfter(written: { seconds: number; outputTokens: number }): number;
}

/** Undefined if no model that may answer has a price. The built-in model costs nothing. */
export function createCallCosts(agent: Agent): ((request: ModelRequest) => CallCost) | undefined {
  const models = pricedModels(agent);
  if (models.length === 0) return undefined;
  return (request) => {
    const prompt_tokens = promptTokens(request);
    const cost = (tokensOf: (longest: number) => number) =>
      Math.max(
        ...models.map(({ price, longest }) => costOf(price, { prompt_tokens, completion_tokens: tokensOf(longest) })),
      );
    return {
      usual: cost((longest) => Math.min(longest, REPLY_TOKENS)),
      most: cost((longest) => longest),
      cutAfter: ({ seconds, outputTokens }) =>
        cost((longest) => {
          // The provider may have written more than had arrived.
          const written = Math.max(outputTokens + REPLY_TOKENS, Math.ceil(seconds * TOKENS_PER_SECOND));
          return Math.max(outputTokens, Math.min(longest, written));
        }),
    };
  };
}

/** `limits.reply_chars` ends a reply whose length the provider does not limit. */
function pricedModels(agent: Agent): { price: Price; longest: number }[] {
  const { model } = agent;
  const replyTokens = modelLimits(agent).reply_chars / CHARS_PER_TOKEN;
  return [model, ...(model.fallback ? [model.fallback] : [])].flatMap((one) => {
    const price = findPrice(one);
    return price ? [{ price, longest: one.max_tokens ?? replyTokens }] : [];
  });
}

function promptTokens({ system, tools, messages, pictures, responseFormat }: ModelRequest): number {
  const shown = [...(pictures?.values() ?? [])].flat().length;
  const fixed = Math.ceil((system.length + JSON.stringify([tools, responseFormat]).length) / CHARS_PER_TOKEN);
  return fixed + estimateTokens(messages) + shown * PICTURE_TOKENS;
}
