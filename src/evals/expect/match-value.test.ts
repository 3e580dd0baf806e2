import { describe, expect, it } from 'vitest';
import { containsPhrase, matchesValue } from './match-value.ts';

describe('matchesValue', () => {
  it.each([
    ['buy milk', 'buy milk', true],
    ['buy milk', 'Buy milk', false],
    [3, 3.0, true],
    [{ a: [1] }, { a: [1] }, true],
    [{ fuzzy: 'Buy  MILK!' }, 'buy milk', true],
    [{ fuzzy: '60.94' }, 60.94, true],
    [{ fuzzy: '1,234.5' }, 1234.5, true],
    [{ fuzzy: '60.94' }, '60.95', false],
    [{ regex: '\\d{4}' }, '2026', true],
    [{ regex: '\\d{4}' }, '2026-01', false],
    ['x', undefined, false],
  ])('%o and %o: %s', (matcher, value, expected) => {
    expect(matchesValue(matcher, value)).toBe(expected);
  });
});

describe('containsPhrase', () => {
  it('ignores case, blanks and the form of quotes; an expression may match a part', () => {
    expect(containsPhrase("don't have", 'You don’t\nhave any')).toBe(true);
    expect(containsPhrase({ regex: 'tom.rrow' }, 'due Tomorrow.')).toBe(true);
    expect(containsPhrase('delete', 'added')).toBe(false);
  });
});
