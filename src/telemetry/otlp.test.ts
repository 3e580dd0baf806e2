import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ulidToUuid } from '../schema/ids.ts';
import { newUlid } from '../schema/new-ulid.ts';
import { redactJson, redactText } from './attributes.ts';
import { readSampler } from './environment.ts';
import { createHistogram } from './meters.ts';
import { attributesJson, createBodies, metricLines } from './otlp.ts';
import { readTraceparent, rootSpanId, spanIdOf, traceIdOf, writeTraceparent } from './trace-context.ts';

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

describe('redactText', () => {
  it.each([
    ['key sk-abcdef1234567890', 'key [redacted]'],
    ['Authorization: Bearer abc.def-123', 'Authorization: [redacted]'],
    ['postgres://me:hunter2@db/x', 'postgres://me:[redacted]@db/x'],
    ['eyJhbGciOiJI.eyJzdWIiOiIx.abc', '[redacted]'],
    ['an ordinary sentence', 'an ordinary sentence'],
  ])('of %s', (text, expected) => {
    expect(redactText(text)).toBe(expected);
  });

  it('cuts what is too long', () => {
    expect(redactText('x'.repeat(9000)).length).toBe(8001);
  });
});

describe('redactJson', () => {
  it('hides the values of secret keys at any depth', () => {
    const value = { user: 'ann', nested: [{ api_key: 'abc', password: 'x', note: 'fine' }] };
    expect(redactJson(value)).toBe(
      '{"user":"ann","nested":[{"api_key":"[redacted]","password":"[redacted]","note":"fine"}]}',
    );
  });
});

const LOW = `${'f'.repeat(19)}${'0'.repeat(13)}`;
const HIGH = `${'0'.repeat(19)}${'f'.repeat(13)}`;

describe('readSampler', () => {
  it.each<[string | undefined, string | undefined, boolean[]]>([
    // Expected for a low id, a high id, a sampled parent and an unsampled parent.
    [undefined, undefined, [true, true, true, false]],
    ['always_on', undefined, [true, true, true, true]],
    ['always_off', undefined, [false, false, false, false]],
    ['traceidratio', '0.5', [true, false, false, false]],
    ['traceidratio', '0', [false, false, false, false]],
    ['traceidratio', '7', [true, true, true, true]],
    ['parentbased_always_on', undefined, [true, true, true, false]],
    ['parentbased_always_off', undefined, [false, false, true, false]],
    ['parentbased_traceidratio', '0.5', [true, false, true, false]],
    ['jaeger_remote', undefined, [true, true, true, false]],
  ])('%s with %s', (name, argument, decisions) => {
    const sample = readSampler(name, argument);
    expect([sample(LOW, undefined), sample(HIGH, undefined), sample(HIGH, true), sample(HIGH, false)]).toEqual(
      decisions,
    );
  });

  it('takes about the share that it is given', () => {
    const sample = readSampler('traceidratio', '0.25');
    const ids = Array.from({ length: 4_000 }, (_, index) => {
      const random = ((index * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, '0');
      return `${'0'.repeat(19)}${random}00000`;
    });
    const share = ids.filter((id) => sample(id, undefined)).length / ids.length;
    expect(Math.abs(share - 0.25)).toBeLessThan(0.02);
  });
});

describe('trace context', () => {
  const TRACE = '0af7651916cd43dd8448eb211c80319c';
  const SPAN = 'b7ad6b7169203331';

  it('reads and writes a traceparent', () => {
    const header = `00-${TRACE}-${SPAN}-01`;
    expect(readTraceparent(header)).toEqual({ traceId: TRACE, spanId: SPAN, isSampled: true });
    expect(writeTraceparent({ traceId: TRACE, spanId: SPAN, isSampled: true })).toBe(header);
    expect(readTraceparent(`cc-${TRACE}-${SPAN}-02-later`)).toEqual({ traceId: TRACE, spanId: SPAN, isSampled: false });
  });

  it.each([
    undefined,
    '',
    `00-${TRACE}-${SPAN}`,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01-more`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  ])('begins a new trace for %j', (header) => {
    expect(readTraceparent(header)).toBeUndefined();
  });

  describe('traceIdOf', () => {
    it('has the same 128 bits as the turn', () => {
      for (const id of [...Array.from({ length: 100 }, newUlid), '7ZZZZZZZZZZZZZZZZZZZZZZZZZ', '0'.repeat(26)]) {
        expect(traceIdOf(id)).toBe(ulidToUuid(id).replaceAll('-', ''));
      }
    });
  });

  describe('ids of spans', () => {
    it('are always 16 digits, and differ for each attempt at a turn', () => {
      fc.assert(
        fc.property(fc.integer({ min: 1, max: 60_000 }), (attempt) => {
          const traceId = traceIdOf(newUlid());
          expect([rootSpanId(traceId, attempt), spanIdOf(traceId, 'step 1')]).toEqual(
            Array(2).fill(expect.stringMatching(/^[0-9a-f]{16}$/)),
          );
          expect(spanIdOf(traceId, 'step 1')).not.toBe(spanIdOf(traceId, 'step 2'));
          expect(rootSpanId(traceId, attempt)).not.toBe(rootSpanId(traceId, attempt + 1));
        }),
      );
    });
  });
});
