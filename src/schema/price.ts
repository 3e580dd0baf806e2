import * as z from 'zod';
import type { Provider } from './provider.ts';

const Dollars = z.number().nonnegative().max(10_000);

/** Dollars per million tokens. */
export const Price = z.strictObject({
  in: Dollars,
  out: Dollars,
  /** Input that the provider read from its cache; absent = the same as other input. */
  cached: Dollars.optional(),
  /** Input that the provider wrote to its cache; absent = the same as other input. */
  cache_write: Dollars.optional(),
});
export type Price = z.infer<typeof Price>;

interface ListPrice extends Price {
  provider: Provider;
  /** The model's name, also with a date or `latest` behind it. */
  prefix: string;
  /** The day of the price list. */
  as_of: string;
}

type Row = readonly [prefix: string, input: number, cached: number, output: number];

const AS_OF = '2025-10-01';

const toPrices = (provider: Provider, rows: readonly Row[]): ListPrice[] =>
  rows.map(([prefix, input, cached, out]) => ({ provider, prefix, in: input, cached, out, as_of: AS_OF }));

/** Public list prices for text of usual length. Providers change them: `model.price` overrides. */
const PRICES: readonly ListPrice[] = [
  ...toPrices('openai', [
    ['gpt-5', 1.25, 0.125, 10],
    ['gpt-5-mini', 0.25, 0.025, 2],
    ['gpt-5-nano', 0.05, 0.005, 0.4],
    ['gpt-4.1', 2, 0.5, 8],
    ['gpt-4.1-mini', 0.4, 0.1, 1.6],
    ['gpt-4.1-nano', 0.1, 0.025, 0.4],
    ['gpt-4o', 2.5, 1.25, 10],
    ['gpt-4o-mini', 0.15, 0.075, 0.6],
    ['o3', 2, 0.5, 8],
    ['o4-mini', 1.1, 0.275, 4.4],
  ]),
  ...toPrices('anthropic', [
    ['claude-opus-4-1', 15, 1.5, 75],
    ['claude-opus-4', 15, 1.5, 75],
    ['claude-sonnet-4-5', 3, 0.3, 15],
    ['claude-sonnet-4', 3, 0.3, 15],
    ['claude-haiku-4-5', 1, 0.1, 5],
    ['claude-3-7-sonnet', 3, 0.3, 15],
    ['claude-3-5-haiku', 0.8, 0.08, 4],
    // Anthropic writes to its cache for 1.25 times the price of input.
  ]).map((price) => ({ ...price, cache_write: price.in * 1.25 })),
  ...toPrices('google', [
    ['gemini-2.5-pro', 1.25, 0.125, 10],
    ['gemini-2.5-flash', 0.3, 0.03, 2.5],
    ['gemini-2.5-flash-lite', 0.1, 0.01, 0.4],
    ['gemini-2.0-flash', 0.1, 0.025, 0.4],
  ]),
];

/** The keys of a model that decide its price. */
interface PricedModel {
  provider: Provider;
  name?: string | undefined;
  price?: Price | undefined;
  endpoint?: string | undefined;
}

/** The price of a model: the author's, else the list's. Undefined if it is unknown; a gateway has its own prices. */
export function findPrice({ provider, name = '', price, endpoint }: PricedModel): Price | undefined {
  if (price) return price;
  if (endpoint !== undefined) return undefined;
  return PRICES.find((row) => row.provider === provider && isVersion(name, row.prefix));
}

/** `gpt-5-2025-08-07` is a `gpt-5`; `gpt-5-pro` is another model with another price. */
function isVersion(name: string, prefix: string): boolean {
  return name.startsWith(prefix) && /^(-(\d{4}-\d{2}-\d{2}|\d{6,8}|\d{3}|latest))?$/.test(name.slice(prefix.length));
}

/** Tokens of a model call, as they are billed. */
interface BilledTokens {
  prompt_tokens: number;
  completion_tokens: number;
  cached_tokens?: number | undefined;
  cache_write_tokens?: number | undefined;
}

const MILLION = 1_000_000;

/** The cost of a call in dollars. Cached and written tokens are part of the prompt. */
export function costOf(price: Price, usage: BilledTokens): number {
  const { cached_tokens: cached = 0, cache_write_tokens: written = 0 } = usage;
  const fresh = Math.max(0, usage.prompt_tokens - cached - written);
  const input = fresh * price.in + cached * (price.cached ?? price.in) + written * (price.cache_write ?? price.in);
  return roundCost((input + usage.completion_tokens * price.out) / MILLION);
}

/** Costs are exact to a billionth of a dollar; without it, sums would end in 0.30000000000000004. */
export function roundCost(dollars: number): number {
  return Math.round(dollars * 1e9) / 1e9;
}

/** A cost for people, such as $0.0042: never rounded to nothing. */
export function formatCost(dollars: number): string {
  if (dollars >= 1) return `$${dollars.toFixed(2)}`;
  return `$${dollars >= 0.0001 ? dollars.toFixed(4) : dollars.toPrecision(2)}`;
}
