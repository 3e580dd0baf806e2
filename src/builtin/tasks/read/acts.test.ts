import { describe, expect, it } from 'vitest';
import type { MarkKind } from '../../reader/labels.ts';
import { toActs } from './acts.ts';

/** Reads `<kind:words>` as marks. */
function actsOf(marked: string) {
  const marks: { kind: MarkKind; text: string; start: number; end: number; chance: number }[] = [];
  let text = '';
  for (const [, before = '', kind = '', words = ''] of `${marked}<:>`.matchAll(/([^<]*)<(\w*):([^>]*)>/g)) {
    text += before;
    // Only kinds of marks stand in the messages below.
    if (kind !== '')
      marks.push({
        kind: kind as MarkKind,
        text: words,
        start: text.length,
        end: text.length + words.length,
        chance: 1,
      });
    text += words;
  }
  return toActs(text, { marks }).map(({ kind, name, when }) => [kind, name, when]);
}

describe('marks', () => {
  it.each([
    [
      'add <add:book taxi>, <add:brief volunteers> and <add:check wifi>, all <when:for tuesday>',
      [
        ['add', 'book taxi', 'for tuesday'],
        ['add', 'brief volunteers', 'for tuesday'],
        ['add', 'check wifi', 'for tuesday'],
      ],
    ],
    [
      'add <add:pack sunscreen> and <add:hats>, <when:Monday at 8>',
      [['add', 'pack sunscreen and hats', 'Monday at 8']],
    ],
    ['Make <move:it> <when:two days earlier>... no, <when:one day earlier>', [['move', 'it', 'one day earlier']]],
    ['<move:the> <move:machine> is <when:Thursday>', [['move', 'the machine', 'Thursday']]],
    [
      '<add:eggs> and <add:flour>',
      [
        ['add', 'eggs', undefined],
        ['add', 'flour', undefined],
      ],
    ],
  ])('%s', (marked, acts) => {
    expect(actsOf(marked)).toEqual(acts);
  });
});
