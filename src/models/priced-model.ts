import { costOf, type Price } from '../schema/price.ts';
import type { Model } from './model.ts';

/** A model whose usage has its cost. A cost that the model itself reports is kept. */
export function createPricedModel(model: Model, price: Price): Model {
  return {
    label: model.label,
    async *stream(request, options) {
      for await (const chunk of model.stream(request, options)) {
        if (chunk.type !== 'finish' || !chunk.usage) yield chunk;
        else
          yield { ...chunk, usage: { ...chunk.usage, cost_usd: chunk.usage.cost_usd ?? costOf(price, chunk.usage) } };
      }
    },
  };
}
