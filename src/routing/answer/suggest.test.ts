import { describe, expect, it } from 'vitest';
import { Domain } from '../../schema/domain.ts';
import { createRegistry } from '../decide/registry.ts';
import { suggest } from './suggest.ts';
import { synthesize } from './synthesize.ts';

const build = (name: string, related: string[], enabled = true) =>
  Domain.parse({
    name,
    display_name: name,
    description: name,
    capabilities: [`All ${name}`],
    mcp_tools: [`ask_${name}`],
    related_domains: related,
    enabled,
  });
const registry = createRegistry([build('sales', ['stock', 'old']), build('stock', ['sales']), build('old', [], false)]);
const descriptions = new Map([
  ['ask_sales', 'Sales.'],
  [
    'ask_stock',
    'Stock.\nQuestions it knows:\n- What is overstocked?\n- Which products are out of stock?\n- What are the top N?',
  ],
]);
const of = (used: string[], question = 'Which products sell?', answered: string[] = []) =>
  suggest({ question, results: answered.map((text) => ({ question: text })), used, registry, descriptions });

describe('suggest', () => {
  it('takes questions of related domains, the nearest first', () => {
    expect(of(['sales'])).toEqual(['Which products are out of stock?', 'What is overstocked?']);
  });

  it('names a capability where the tool lists no questions', () => {
    expect(of(['stock'])).toEqual(['What does sales say about all sales?']);
  });

  it('suggests nothing where nothing is related, enabled and there', () => {
    expect([
      of([]),
      of(['old']),
      suggest({ question: 'q', results: [], used: ['sales'], registry, descriptions: new Map() }),
    ]).toEqual([[], [], []]);
  });

  it('never repeats an earlier question of the conversation', () => {
    const basis = { question: 'Which products sell?', results: [], used: ['sales'], registry, descriptions };
    expect(suggest({ ...basis, earlier: ['what is overstocked?'] })).toEqual(['Which products are out of stock?']);
  });

  it('never repeats the question', () => {
    expect(of(['sales'], 'What is overstocked?')).not.toContain('What is overstocked?');
  });

  it('never repeats an answered question, even if it was asked in other words', () => {
    expect(of(['sales'], 'Show me products that are out of stock')).toEqual(['What is overstocked?']);
    expect(of(['sales', 'stock'], 'Any gaps?', ['Which products are out of stock?'])).toEqual([
      'What is overstocked?',
      'What does sales say about all sales?',
    ]);
  });
});

const domain = Domain.parse({ name: 'stock', display_name: 'Stock', description: 'What is there', mcp_tools: ['ask'] });
const say = (result: string) => synthesize([{ domain, outcome: { result } }], { suggestions: [] });

describe('synthesize', () => {
  it('uses the answer text of a cut result, and never fails on text that only looks like one', () => {
    expect(say('{"title":"x","answer":"Nine \\"boots\\".","rows":[{"a"')).toBe('Nine "boots".');
    for (const broken of ['{"answer":"a\nb","rows":[', '{"answer":"\\x"', '{"answer":"']) {
      expect(say(broken)).toContain(broken.split('\n')[0]);
    }
  });
});
