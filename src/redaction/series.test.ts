import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRedactor } from './redactor.ts';
import { isSeriesOpen, redactSeries } from './series.ts';

const SECRET = 'hunter"22\nmore';
const redactor = createRedactor({ secrets: [{ name: 'SHOP_KEY', value: SECRET }] });

function cut(text: string, at: readonly number[]): string[] {
  const points = [0, ...at.map((one) => one % (text.length + 1)).sort((a, b) => a - b), text.length];
  return points.slice(1).map((point, index) => text.slice(points[index], point));
}

it('finds a secret that is cut anywhere between chunks, among other chunks', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 20 }), fc.boolean(), (at, isJson) => {
      const text = `key: ${isJson ? JSON.stringify({ a: SECRET }) : SECRET} end`;
      const chunks = cut(text, at).flatMap((content, index) => [
        { id: 'r', choices: [{ index: 0, delta: { content } }] },
        ...(index % 3 === 0 ? [{ type: 'ping' }] : []),
      ]);
      const joined = redactSeries(chunks, redactor).map(
        (one) => JSON.parse(JSON.stringify(one)).choices?.[0].delta.content ?? '',
      );
      expect(joined.join('')).toBe(isJson ? 'key: {"a":"[SHOP_KEY]"} end' : 'key: [SHOP_KEY] end');
    }),
  );
});

it('keeps texts of different kinds apart', () => {
  const chunks = [
    { type: 'text', text: 'hunter"22' },
    { type: 'reasoning', text: 'so' },
    { type: 'text', text: '\nmore' },
  ];
  expect(redactSeries(chunks, redactor)).toEqual([
    { type: 'text', text: '[SHOP_KEY]' },
    { type: 'reasoning', text: 'so' },
    { type: 'text', text: '' },
  ]);
});

it('is open while the end of a text may begin a secret', () => {
  const open = (...texts: string[]) =>
    isSeriesOpen(
      texts.map((text) => ({ object: 'oh', text })),
      redactor,
    );
  expect([
    open('a', 'b'),
    open('a', 'hunt'),
    open('hunt', 'er"22'),
    open('hunt', 'ing'),
    open('hunter"22', '\nmore'),
  ]).toEqual([false, true, true, false, false]);
});
