import { describe, expect, it } from 'vitest';
import { StandardMetric } from '../../schema/tests/evaluation.ts';
import { contains, fitsSchema, followsTrajectory, isEqual, isNear, matches } from './compare.ts';

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
