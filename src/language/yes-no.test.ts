import { describe, expect, it } from 'vitest';
import { afterYes, isNo, isYes } from './yes-no.ts';

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
