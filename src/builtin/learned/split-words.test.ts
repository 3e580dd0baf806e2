import { describe, expect, it } from 'vitest';
import { spansOf } from './proposal.ts';
import { splitWords } from './split-words.ts';

describe('splitWords', () => {
  it('keeps times, hyphens and apostrophes inside a word and cuts marks off', () => {
    const words = splitWords(`add "Mum's to-do" at 4:30pm, ok?`).map(({ text }) => text);
    expect(words).toEqual(['add', '"', "Mum's", 'to-do', '"', 'at', '4:30pm', ',', 'ok', '?']);
  });

  it('returns nothing for an empty text', () => {
    expect(splitWords('  ')).toEqual([]);
  });
});

describe('spansOf', () => {
  it('joins neighbours of one role with the text between them', () => {
    const text = 'add oat  milk and tea';
    const tags = ['none', 'title', 'title', 'separator', 'title'] as const;
    const words = splitWords(text).map((word, at) => ({ ...word, tag: tags[at] ?? 'none' }));
    expect(spansOf(text, words).map((span) => span.text)).toEqual(['oat  milk', 'and', 'tea']);
  });
});
