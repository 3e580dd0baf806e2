import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentStems, isOneTypoAway, readPosition, stem } from './words.ts';

describe('stem', () => {
  it.each([
    ['buying', 'buy'],
    ['bought', 'buy'],
    ['groceries', 'grocery'],
    ['shopping', 'shop'],
    ['called', 'call'],
    ['dishes', 'dish'],
    ['taxes', 'tax'],
    ['bus', 'bus'],
  ])('%s meets %s', (word, other) => {
    expect(stem(word)).toBe(stem(other));
  });
});

describe('contentStems', () => {
  it('leaves out words without meaning, unless nothing else is there', () => {
    expect(contentStems('the task about my groceries')).toEqual(['grocery']);
    expect(contentStems('the one')).toEqual(['the', 'one']);
  });
});

describe('isOneTypoAway', () => {
  it('recognizes each kind of typo', () => {
    expect(['dentst', 'dentisst', 'dantist', 'detnist'].map((word) => isOneTypoAway('dentist', word))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(isOneTypoAway('dentist', 'dancer')).toBe(false);
  });

  it('is the same both ways, for every pair', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 });
    fc.assert(fc.property(word, word, (a, b) => isOneTypoAway(a, b) === isOneTypoAway(b, a)));
  });
});

describe('readPosition', () => {
  it.each([
    ['the second one', 2],
    ['3', 3],
    ['#4', 4],
    ['task 5', 5],
    ['number two', 2],
    ['the last one', -1],
    ['21st', 21],
    ['the dentist', undefined],
    ['0', undefined],
  ])('%s', (text, position) => {
    expect(readPosition(text)).toBe(position);
  });
});
