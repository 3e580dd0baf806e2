import { describe, expect, it } from 'vitest';
import type { Json } from '../../schema/json.ts';
import { describeDropped, findDropped } from './dropped-words.ts';

const dropped = (question: string, query: string, result: Json = {}) => findDropped(question, [{ query, result }]);

describe('findDropped', () => {
  it.each([
    ['What were total sales in Paris?', 'total sales', ['in Paris']],
    ['What were sales by region?', 'total sales', ['by region']],
    ['How many orders last month?', 'number of orders', ['last month']],
    ['How many orders above 500 dollars?', 'number of orders', ['above 500']],
    ['Did Acme order?', 'number of orders', ['Acme']],
  ])('finds what %j loses in %j', (question, query, expected) => {
    expect(dropped(question, query)).toEqual(expected);
  });

  it.each([
    ['What were total sales in Paris?', 'sales for the Paris store'],
    ['What did buyers spend in total?', 'total revenue of all customers'],
    ['How many orders last month?', 'orders in October 2025'],
    ['Show me the revenue for clients', 'revenue of customers'],
  ])('finds nothing lost of %j in %j', (question, query) => {
    expect(dropped(question, query)).toEqual([]);
  });

  it('counts words that occur in the results as used', () => {
    expect(dropped('What were sales by region?', 'sales', { rows: [{ region: 'North', sales: 5 }] })).toEqual([]);
  });

  it('finds nothing where no domain answered', () => {
    expect(findDropped('What were sales by region?', [])).toEqual([]);
  });
});

describe('describeDropped', () => {
  it('names one, and several', () => {
    expect(describeDropped(['in Paris'])).toBe('"in Paris" was not taken into account.');
    expect(describeDropped(['in Paris', 'by age'])).toBe('"in Paris" and "by age" were not taken into account.');
  });
});
