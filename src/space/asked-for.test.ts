import { describe, expect, it } from 'vitest';
import { readAskedFor } from './asked-for.ts';
import { otherNamesOf } from './asked-words.ts';

const THINGS = new Set(['channel', 'segment', 'theme', 'months']);
const read = (text: string) =>
  readAskedFor(text, ({ word, root }) => THINGS.has(word) || otherNamesOf(root).size > 0).map(
    ({ kind, head }) => `${kind} ${head.word}`,
  );

describe('readAskedFor', () => {
  it.each([
    ['Which customers bought the most?', ['each customers']],
    ['Which abandoned cart products are out of stock?', ['each products']],
    ['Which customer segment spends the most?', ['each segment']],
    ['Which of our three best customers left?', ['each customers']],
    ['Which employees sell the most?', ['each employees']],
    ['In which months do customers order most?', ['each months']],
    ['Which theme do customers complain about most?', ['each theme']],
    ['Who spends the most?', ['each who']],
    ['When do customers buy the most?', ['each when']],
    ['Show me customers who left', ['each customers']],
    ['What are the top 5 products by revenue?', ['each products']],
    ['Could you tell me how many customers we have?', ['count customers']],
    ['How many words does a review have?', ['count words']],
    ['What is our revenue?', ['figure revenue']],
    ["What's the average price of our products?", ['figure price']],
    ['How much revenue did we make?', ['figure revenue']],
    ['What does shipping cost us?', ['figure cost']],
    ['What share of carts is abandoned?', ['share share']],
    ['revenue last month', ['figure revenue']],
    ['Of all channels, which one has the most orders?', ['each orders']],
    ['What do customers buy the most?', ['object what']],
    ['Which channel has the most orders, and which segment churns?', ['each channel', 'each segment']],
  ])('reads %j', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it.each([
    'Do customers who leave bad reviews stop buying?',
    'Show me customer behavior for products that are out of stock',
    'How does sentiment differ between segments?',
    'How many times were we out of stock?',
    'Is stock low?',
    'What is the stock status of our best selling products?',
    'Why are buyers unhappy?',
    '',
  ])('finds nothing in %j', (text) => {
    expect(read(text)).toEqual([]);
  });
});
