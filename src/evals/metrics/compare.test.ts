import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StandardMetric } from '../../schema/tests/evaluation.ts';
import { contains, fitsSchema, followsTrajectory, isEqual, isNear, matches } from './compare.ts';
import { bleu, f1Score, meteor, rouge } from './text-scores.ts';

const options = (parts: Record<string, unknown> = {}) => StandardMetric.parse({ metric: 'equality', ...parts });
const calls = (...names: string[]) =>
  names.map((name) => ({ id: name, name, arguments: {}, state: 'completed' as const, result: null }));

describe('measures that are 0 or 1', () => {
  it('compares texts, with flags for case, blanks and punctuation', () => {
    expect(isEqual('Yes.', 'yes', options())).toBe('the answer differs');
    const loose = { case_insensitive: true, strip_whitespace: true, strip_punctuation: true };
    expect(isEqual(' Yes, sir. ', 'yes sir', options(loose))).toBe(true);
  });

  it('finds a text and an expression', () => {
    expect(contains('Buy Milk', 'milk', options())).toBe('it does not contain "milk"');
    expect(contains('Buy Milk', 'milk', options({ case_insensitive: true }))).toBe(true);
    expect(matches('due 2026-03-03', String.raw`\d{4}-\d\d`, options())).toBe(true);
  });

  it.each([
    ['The rate is 35.8%', '0.358', { accept_percent: true }, true],
    ['The rate is 35.8%', '0.358', {}, '0.358 expected, found 35.8'],
    ['It was 1,234.50 dollars', '1234.5', { accept_thousands_separators: true }, true],
    ['about 101', '100', { relative_tolerance: 0.01 }, true],
    ['about 102', '100', { relative_tolerance: 0.01 }, '100 expected, found 102'],
    ['none', '5', {}, '5 expected, found no number'],
  ])('reads the numbers of "%s" for %s with %o', (answer, expected, parts, verdict) => {
    expect(isNear(answer, expected, options(parts))).toBe(verdict);
  });

  it('throws when the ground truth is no number', () => {
    expect(() => isNear('5', 'many', options())).toThrow('"many" is not one number');
  });

  it('checks JSON answers, also in a fence', () => {
    const schema = { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } };
    expect(fitsSchema('```json\n{"a": 1}\n```', schema)).toBe(true);
    expect(fitsSchema('{"a": "x"}', schema)).toContain('a');
    expect(fitsSchema('no', schema)).toBe('the answer is no JSON');
  });

  it('compares the sequence of calls', () => {
    expect(followsTrajectory(calls('list_tasks', 'add_task'), ['list_tasks', 'add_task'], 'exact')).toBe(true);
    expect(followsTrajectory(calls('list_tasks', 'add_task'), ['add_task'], 'exact')).toContain(
      'called list_tasks → add_task',
    );
    expect(followsTrajectory(calls('list_tasks', 'add_task'), ['add_task'], 'in_order')).toBe(true);
    expect(followsTrajectory(calls('a', 'b'), ['b', 'a'], 'in_order')).toContain('b → a expected');
    expect(followsTrajectory(calls('a', 'b'), ['b', { name: 'a', count: 2 }], 'any_order')).toContain('expected');
  });
});

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
