import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bleu, f1Score, meteor, rouge } from './text-scores.ts';

describe('text scores', () => {
  it('rouge has the values of the package rouge_score', () => {
    const [reference, answer] = [
      'The quick brown fox jumps over the lazy dog',
      'The quick brown dog jumps on the log.',
    ];
    // From the README of rouge_score: rouge1 P 0.75 R 0.667, rougeL P 0.625 R 0.556.
    expect(rouge('rouge1', answer, reference)).toBeCloseTo((2 * 0.75 * (6 / 9)) / (0.75 + 6 / 9), 6);
    expect(rouge('rougeL', answer, reference)).toBeCloseTo((2 * 0.625 * (5 / 9)) / (0.625 + 5 / 9), 6);
    expect(rouge('rouge2', 'a b c', 'a b d')).toBe(0.5);
  });

  it('bleu smooths a missing order as sacrebleu does', () => {
    const expected = (5 / 6) * (3 / 5) * (1 / 4) * (1 / 6);
    expect(bleu('the cat sat on the mat', 'the cat is on the mat')).toBeCloseTo(expected ** 0.25, 6);
    expect(bleu('the cat', 'the cat is on the mat')).toBeCloseTo(Math.exp(1 - 6 / 2), 6);
    expect(bleu('nothing in common', 'the cat')).toBe(0);
  });

  it('meteor has the values of the NLTK documentation', () => {
    const reference = 'It is a guide to action that ensures that the military will forever heed Party commands';
    const answer = 'It is a guide to action which ensures that the military always obeys the commands of the party';
    expect(meteor(answer, reference)).toBeCloseTo(0.6944, 4);
    expect(meteor('non matching hypothesis', 'this is a cat')).toBe(0);
  });

  it('f1 counts words', () => {
    expect(f1Score('buy milk', 'buy oat milk')).toBeCloseTo(0.8, 6);
  });

  it('every score is between 0 and 1, and 1 or nearly 1 for the same text', () => {
    const words = fc.array(fc.constantFrom('a', 'b', 'milk', 'buys', 'buy', '3'), { minLength: 4, maxLength: 12 });
    fc.assert(
      fc.property(words, words, (a, b) => {
        const [x, y] = [a.join(' '), b.join(' ')];
        for (const score of [f1Score(x, y), rouge('rougeL', x, y), bleu(x, y), meteor(x, y)]) {
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1.000001);
        }
        expect(bleu(x, x)).toBeCloseTo(1, 6);
        expect(rouge('rougeL', x, x)).toBe(1);
      }),
    );
  });
});
