import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editDistance, findNear } from './did-you-mean.ts';

const KEYS = ['name', 'instructions', 'model', 'message_chars', 'role', 'rules'];

describe('findNear', () => {
  it.each([
    ['nmae', 'name'],
    ['instuctions', 'instructions'],
    ['Model', 'model'],
    ['message-chars', 'message_chars'],
    ['messageChars', 'message_chars'],
    ['rule', 'rules'],
    ['base', undefined],
    ['temperature', undefined],
    ['x'.repeat(100_000), undefined],
  ])('finds for %.20s: %s', (word, near) => {
    expect(findNear(word, KEYS)).toBe(near);
  });
});

describe('editDistance', () => {
  it('is zero for the same word, the same both ways, and never more than the longer word', () => {
    const word = fc.string({ maxLength: 12 });
    fc.assert(
      fc.property(word, word, (a, b) => {
        const distance = editDistance(a, b);
        expect(distance === 0).toBe(a === b);
        expect(editDistance(b, a)).toBe(distance);
        expect(distance).toBeLessThanOrEqual(Math.max(a.length, b.length));
      }),
    );
  });

  it('counts a swap of neighbours as one', () => {
    expect(editDistance('prot', 'port')).toBe(1);
  });
});
