import { describe, expect, it } from 'vitest';
import type { AuditedPart } from './finding.ts';
import { findLooseWords } from './loose-words.ts';

const QUERY = {
  measures: [{ name: 'number of orders', among: null }],
  dimensions: [],
  having: [],
  numbers: [],
  grain: null,
  without: null,
  limit: null,
  limit_within: null,
};

/** Only these parts of a query and its model are read. */
function partOf(query: object = {}, verified: object[] = []): AuditedPart {
  return { query: { ...QUERY, ...query }, model: { verified } } as unknown as AuditedPart;
}

describe('words that may mean another question', () => {
  it.each([
    ['Which customer placed the largest order?', {}],
    ['Revenue of products above $100', {}],
    ['Revenue of women over 55', {}],
    ['Revenue as of 30 June 2025', {}],
    ['Revenue to 30 June 2025', {}],
    ['Cumulative revenue by month', {}],
    ['Revenue in the week of 6 October 2025', {}],
    ['How many units left the South Warehouse?', {}],
    ['How many VIPs placed orders in October?', {}],
    ['Products with no complaints', { without: 'reviews' }],
    ['Revenue by week', { grain: 'week' }],
  ])('%s', (text, query) => {
    expect(findLooseWords(text, [partOf(query)])).not.toEqual([]);
  });

  it.each([
    ['How many orders did we have in October?', {}],
    ['Revenue from March to August', {}],
    ['Which product was out of stock the longest?', { limit: 1 }],
    ['Which brands made more than 400,000?', { dimensions: ['brand'], having: [{}] }],
  ])('are not in: %s', (text, query) => {
    expect(findLooseWords(text, [partOf(query)])).toEqual([]);
  });

  it('are what the author says they are in a verified question', () => {
    const part = partOf({}, [{ ask: 'Orders above $200, how many?' }]);
    expect(findLooseWords('orders above $200: how many', [part])).toEqual([]);
  });
});
