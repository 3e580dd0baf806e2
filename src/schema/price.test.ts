import { describe, expect, it } from 'vitest';
import { costOf, findPrice } from './price.ts';

describe('findPrice', () => {
  it.each([
    ['openai', 'gpt-5', 1.25],
    ['openai', 'gpt-5-2025-08-07', 1.25],
    ['openai', 'gpt-5-mini', 0.25],
    ['openai', 'gpt-5-pro', undefined],
    ['anthropic', 'claude-sonnet-4-5-20250929', 3],
    ['anthropic', 'claude-opus-4-9', undefined],
    ['google', 'gemini-2.5-flash-lite', 0.1],
    ['ollama', 'llama3.2', undefined],
    ['openrouter', 'openai/gpt-5', undefined],
  ] as const)('%s %s: %s', (provider, name, input) => {
    expect(findPrice({ provider, name })?.in).toBe(input);
  });

  it('is the price of the author first, and unknown behind another address', () => {
    const price = { in: 1, out: 2 };
    expect(findPrice({ provider: 'openai', name: 'gpt-5', price })).toBe(price);
    expect(findPrice({ provider: 'openai', name: 'gpt-5', endpoint: 'https://gateway.example' })).toBeUndefined();
  });
});

describe('costOf', () => {
  const usage = { prompt_tokens: 1_000_000, completion_tokens: 100_000 };

  it('adds input and output, each at its price', () => {
    expect(costOf({ in: 3, out: 15 }, usage)).toBe(4.5);
    const cached = { ...usage, cached_tokens: 600_000, cache_write_tokens: 200_000 };
    expect(costOf({ in: 3, cached: 0.3, cache_write: 3.75, out: 15 }, cached)).toBe(3.03);
    expect(costOf({ in: 3, out: 15 }, cached)).toBe(4.5);
  });
});
