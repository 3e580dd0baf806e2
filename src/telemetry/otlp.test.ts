import { describe, expect, it } from 'vitest';
import { createHistogram } from './histogram.ts';
import { attributesJson, createBodies } from './otlp.ts';

const read = (values: Parameters<typeof attributesJson>[0]) => JSON.parse(`[${attributesJson(values)}]`);

describe('attributesJson', () => {
  it('leaves out what is undefined and numbers that JSON cannot hold', () => {
    const values = { a: 1, b: 0.5, c: Number.NaN, d: Number.POSITIVE_INFINITY, e: undefined, 'f"': ['x'] };
    expect(read(values)).toEqual([
      { key: 'a', value: { intValue: 1 } },
      { key: 'b', value: { doubleValue: 0.5 } },
      { key: 'f"', value: { arrayValue: { values: [{ stringValue: 'x' }] } } },
    ]);
  });
});

describe('a histogram', () => {
  const histogram = createHistogram({ name: 'h', unit: 's', bounds: [1, 2] });
  for (const value of [0.5, 1, 1.5, 2, 2.5, Number.NaN, Number.POSITIVE_INFINITY])
    histogram.record(value, 'k', () => ({}));
  const body = JSON.parse(createBodies({ version: '1', resource: {} }).metrics([histogram.read()]));
  const { histogram: sent } = body.resourceMetrics[0].scopeMetrics[0].metrics[0];

  it('counts a value on a border below it, and ignores values that are not numbers', () => {
    const [{ bucketCounts, explicitBounds, count, sum }] = sent.dataPoints;
    expect({ bucketCounts, explicitBounds, count, sum }).toEqual({
      bucketCounts: [2, 2, 1],
      explicitBounds: [1, 2],
      count: 5,
      sum: 7.5,
    });
  });

  it('is cumulative: a receiver adds nothing up', () => {
    expect(sent.aggregationTemporality).toBe(2);
  });
});
