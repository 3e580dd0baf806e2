import { describe, expect, it } from 'vitest';
import { metricLines } from './lines.ts';

const histogram = (unit: string, count: number, sum: number) => {
  const attributes = { 'gen_ai.operation.name': 'chat' };
  return { name: 'measured', unit, bounds: [], startMs: 0, series: [{ attributes, buckets: [count], count, sum }] };
};

describe('metricLines', () => {
  it.each([
    ['s', 1, 0.68, 'once, 0.680 s in all'],
    ['s', 3, 2.0406, '3 times, 2.041 s in all'],
    ['{token}', 2, 120, '2 times, 120 tokens in all'],
    ['{token}', 1, 1, 'once, 1 token in all'],
  ])('writes %s, %d, %d as words', (unit, count, sum, expected) => {
    expect(metricLines(histogram(unit, count, sum))).toEqual([`metric  measured  chat  ${expected}`]);
  });
});
