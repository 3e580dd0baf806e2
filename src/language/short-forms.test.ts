import { describe, expect, it } from 'vitest';
import { cleanText } from './clean-text.ts';
import { expandShortForms } from './short-forms.ts';

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
