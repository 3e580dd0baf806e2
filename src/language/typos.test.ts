import { describe, expect, it } from 'vitest';
import { mendSmallWords } from './typos.ts';

describe('small words', () => {
  it.each([
    ['iron the shirts adn alos order wood', 'iron the shirts and also order wood'],
    ['ring Dan and Adn Ltd', 'ring Dan and And Ltd'],
    ['chem lab reprot', 'chem lab reprot'],
  ])('%s', (text, mended) => {
    expect(mendSmallWords(text)).toBe(mended);
  });
});
