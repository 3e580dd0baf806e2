import { describe, expect, it } from 'vitest';
import { splitWords } from './word-pieces.ts';

describe('splitWords', () => {
  it('keeps times, hyphens and apostrophes inside a word and cuts marks off', () => {
    const words = splitWords(`add "Mum's to-do" at 4:30pm, ok?`).map(({ text }) => text);
    expect(words).toEqual(['add', '"', "Mum's", 'to-do', '"', 'at', '4:30pm', ',', 'ok', '?']);
  });

  it('returns nothing for an empty text', () => {
    expect(splitWords('  ')).toEqual([]);
  });
});
