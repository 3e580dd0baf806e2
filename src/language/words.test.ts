import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanText } from './clean-text.ts';
import { expandShortForms } from './short-forms.ts';
import { mendSmallWords } from './typos.ts';
import { contentStems, isOneTypoAway, readPosition, stem } from './words.ts';
import { afterYes, isNo, isPlainYes, isYes } from './yes-no.ts';

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

describe('short forms', () => {
  it.each([
    ['salt n pepper', 'salt and pepper'],
    ['need 2 call ann b4 noon', 'need to call ann before noon'],
    ['note 2 self: oil the gate', 'note to self: oil the gate'],
    ['move choir 2 friday', 'move choir to friday'],
    ['anything 4 tmrw', 'anything for tomorrow'],
    ['all done xcept the bins', 'all done except the bins'],
    ['done w ann', 'done with ann'],
  ])('%s', (text, full) => {
    expect(cleanText(text)).toBe(full);
  });

  it.each([
    'need 2 lamps',
    'buy 4 tomatoes',
    'table for 4 friday',
    'add "salt n pepper"',
    'paint room 2 blue',
    'plan n',
  ])('stay as they are: %s', (text) => {
    expect(cleanText(text)).toBe(text);
  });
});

describe('courtesy', () => {
  it.each([
    ['Might I trouble you to add milk', 'please add milk'],
    ["I'd be grateful if you could move choir to Friday", 'please move choir to Friday'],
    ['It would be lovely if you would note the recipe', 'please note the recipe'],
    ['Would you be so kind as to delete milk', 'please delete milk'],
  ])('%s', (text, plain) => {
    expect(cleanText(text)).toBe(plain);
  });

  it.each(['It would be lovely to see you', 'I should like a cup of tea', 'would you be there?', 'let usher in'])(
    'is not heard in: %s',
    (text) => {
      expect(cleanText(text)).toBe(text);
    },
  );
});

describe('days of the month', () => {
  it.each([
    ['gas is Friday 18 at 12:30', 'gas is Friday 18th at 12:30'],
    ['pay the band the 24 at 12:00', 'pay the band the 24th at 12:00'],
    ['oil on the third of March', 'oil on the 3rd of March'],
    ['Monday at the 17:00', 'Monday at 17:00'],
    ['meet Friday 3', 'meet Friday 3'],
    ['delete the 2', 'delete the 2'],
  ])('%s', (text, written) => expect(expandShortForms(text)).toBe(written));
});

describe('small words', () => {
  it.each([
    ['iron the shirts adn alos order wood', 'iron the shirts and also order wood'],
    ['ring Dan and Adn Ltd', 'ring Dan and And Ltd'],
    ['chem lab reprot', 'chem lab reprot'],
  ])('%s', (text, mended) => {
    expect(mendSmallWords(text)).toBe(mended);
  });
});

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
