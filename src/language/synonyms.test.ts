import { describe, expect, it } from 'vitest';
import { createSynonyms } from './synonyms.ts';
import { rootOf } from './words.ts';

describe('createSynonyms', () => {
  const synonyms = createSynonyms({ customers: ['shopper', 'buyer', 'people'], products: ['item'] });

  it('finds every word for a thing from any of them', () => {
    expect(synonyms.of(rootOf('buyers'))).toEqual(new Set(['customers', 'shopper', 'buyer', 'people'].map(rootOf)));
  });

  it('keeps groups apart and returns nothing for other words', () => {
    expect([synonyms.of(rootOf('item')).has(rootOf('buyer')), synonyms.of('reviewer').size]).toEqual([false, 0]);
  });

  it('names the main word, or the word itself', () => {
    expect([synonyms.mainWordFor('people'), synonyms.mainWordFor('reviewers')]).toEqual(['customers', 'reviewers']);
  });
});
