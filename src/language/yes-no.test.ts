import { describe, expect, it } from 'vitest';
import { afterYes, isNo, isPlainYes, isYes } from './yes-no.ts';

describe('a yes', () => {
  it.each([
    ['yes, away with it', 'away with it'],
    ['correct, proceed', 'proceed'],
    ['correct the title to "call Ann"', undefined],
    ['go on holiday', undefined],
    ['confirm the booking', undefined],
    ['yes but not the milk', undefined],
  ])('%s leaves %s', (text, rest) => {
    expect(afterYes(text)).toBe(rest);
  });

  it('is no order that begins like one', () => {
    expect([isYes('correct'), isYes('correct the title'), isNo('no, the other one')]).toEqual([true, false, false]);
  });
});

describe('a plain yes', () => {
  it.each(['yes', 'yes please, delete them all', 'oh yes, of course', 'Yes, every last one.'])('%s', (text) => {
    expect(isPlainYes(text)).toBe(true);
  });

  it.each(['yes let me check', 'yes, the rent', 'yeah right', 'sure is cold today', 'definitely a keeper'])(
    'not: %s',
    (text) => {
      expect(isPlainYes(text)).toBe(false);
    },
  );

  it('takes no longer for a long text', () => {
    expect(isPlainYes(`yes ${'delete it all '.repeat(70)}x`)).toBe(false);
  });
});
