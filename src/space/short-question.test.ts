import { describe, expect, it } from 'vitest';
import { otherNamesOf } from './asked-words.ts';
import { readShortQuestion } from './short-question.ts';

const THINGS = new Set(['channel', 'segment', 'tier']);
const read = (text: string) =>
  readShortQuestion(text, ({ word, root }) => THINGS.has(word) || otherNamesOf(root).size > 0).map(
    ({ kind, head, by }) => `${kind} ${head.word}${by ? ` by ${by.word}` : ''}`,
  );

describe('readShortQuestion', () => {
  it.each([
    ['revenue', ['figure revenue']],
    ['Sales?', ['figure sales']],
    ['revenue last month', ['figure revenue']],
    ['our monthly revenue, please', ['figure revenue']],
    ['give me the total revenue', ['figure revenue']],
    ['total sales by channel', ['figure sales by channel']],
    ['show me orders per sales channel', ['figure orders by channel']],
    ['units on hand for each segment', ['figure units by segment']],
    ['stock and reviews of Aspen Boots', ['figure stock', 'figure reviews']],
    ['number of orders', ['count orders']],
    ['customers by loyalty tier', ['count customers by tier']],
    ['customers by lifetime value', ['each customers']],
    ['share of abandoned carts', ['share share']],
    ['ratings for products below their reorder point', ['figure ratings', 'each products']],
    ['price of products last month', ['figure price']],
    ['lowest rated products', ['each products']],
  ])('reads %j', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it.each([
    'channel performance by segment',
    'Customer behavior for products that are out of stock',
    'Is stock low?',
    'revenue growth',
    'sales compared with returns',
    'carts without recovery',
    'top reasons for returns',
    'thanks',
    '',
  ])('finds nothing in %j', (text) => {
    expect(read(text)).toEqual([]);
  });
});
