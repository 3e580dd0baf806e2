import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addUsage, TokenUsage, tokenUsage } from './token-usage.ts';

describe('TokenUsage', () => {
  it.each([
    ['a total that is not the sum', { prompt_tokens: 1, completion_tokens: 2, total_tokens: 4 }],
    ['a negative count', { prompt_tokens: -1, completion_tokens: 2, total_tokens: 1 }],
    ['a part of a token', { prompt_tokens: 0.5, completion_tokens: 0.5, total_tokens: 1 }],
    ['a missing count', { prompt_tokens: 1, total_tokens: 1 }],
    ['other counts', { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3, reasoning_tokens: 1 }],
  ])('refuses %s', (_, usage) => {
    expect(TokenUsage.safeParse(usage).success).toBe(false);
  });
});

describe('tokenUsage and addUsage', () => {
  const count = fc.nat();

  it('always give a total that is the sum', () => {
    fc.assert(
      fc.property(count, count, count, count, (a, b, c, d) => {
        const sum = addUsage(tokenUsage(a, b), tokenUsage(c, d));
        expect(TokenUsage.parse(sum)).toEqual(tokenUsage(a + c, b + d));
      }),
    );
  });

  it('treat absent usage as not reported', () => {
    const usage = tokenUsage(1, 2);
    expect([addUsage(usage, undefined), addUsage(undefined, usage), addUsage(undefined, undefined)]).toEqual([
      usage,
      usage,
      undefined,
    ]);
  });
});
