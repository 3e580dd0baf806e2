import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRetailRegistry, scoreRouting } from '../../../test/domains/routing-questions.ts';
import { Domain, RoutingDecision } from '../../schema/domain.ts';
import { decide } from './decide.ts';
import { createRegistry } from './registry.ts';

const retail = readRetailRegistry();
const route = (text: string, earlier: string[] = []) => decide({ text, earlier }, retail);
const domainsOf = (text: string, earlier: string[] = []) => route(text, earlier).identified_domains;

describe('decide', () => {
  it('explains which words led to the domains', () => {
    expect(route('What are the top 5 products by cart abandonment rate, and is stock low?')).toEqual({
      user_query: 'What are the top 5 products by cart abandonment rate, and is stock low?',
      identified_domains: ['customer_behavior', 'inventory'],
      reasoning:
        "'cart abandonment' matches customer_behavior (Cart abandonment, abandoned carts and recovery campaigns); " +
        "'stock' matches inventory (Stock levels, units on hand, stock status and stock value).",
      confidence: 0.89,
      scores: [
        { domain: 'customer_behavior', score: 0.97 },
        { domain: 'inventory', score: 0.89 },
        { domain: 'customer_feedback', score: 0.08 },
      ],
      ambiguity_detected: false,
      clarification_needed: false,
      out_of_scope: false,
    });
  });

  it.each(['questions.tsv', 'questions-dev.tsv', 'questions-heldout.tsv'])('reaches its numbers on %s', (file) => {
    const score = scoreRouting(new URL(`../../../test/fixtures/routing/${file}`, import.meta.url), retail);
    expect(score.single).toBeGreaterThanOrEqual(0.95);
    expect(score.exact).toBeGreaterThanOrEqual(0.94);
    expect(score.declined).toBeGreaterThanOrEqual(0.95);
  });

  it.each(['What about their demographics?', 'And by region?', 'What about last month?', 'tell me more'])(
    'lets %j carry the last domains',
    (text) => {
      expect(domainsOf(text, ['customer_behavior'])).toEqual(['customer_behavior']);
    },
  );

  it('lets a follow-up that names another domain go there', () => {
    expect(domainsOf('What about their reviews?', ['inventory'])).toEqual(['customer_feedback']);
  });

  it('carries no domain that is not registered', () => {
    expect(route('What about last month?', ['pricing'])).toMatchObject({
      identified_domains: [],
      clarification_needed: true,
      out_of_scope: false,
    });
  });

  it.each(['Forecast next quarter’s sales', 'How much stock will we need next month?', 'Predict demand for 2031'])(
    'declines the forecast %j',
    (text) => {
      expect(route(text)).toMatchObject({ identified_domains: [], out_of_scope: true });
      expect(route(text).reasoning).toContain('forecast');
    },
  );

  it('looks for the cause of what does not happen in a related domain', () => {
    expect(domainsOf('Why are customers not buying our top products?')).toEqual(['customer_behavior', 'inventory']);
  });

  it.each([
    ['What is the exchange rate of the euro?', 'Exchange rates of currencies'],
    ['How did the stock market do in May?', 'Stock markets and their indices'],
  ])('asks the data for %j only where a domain is about it', (text, capability) => {
    const own = { name: 'own', display_name: 'Own', description: 'Daily figures', mcp_tools: ['q'] };
    const registry = createRegistry([Domain.parse({ ...own, capabilities: [capability] })]);
    expect(decide({ text, earlier: [] }, registry)).toMatchObject({ identified_domains: ['own'], out_of_scope: false });
    expect(route(text)).toMatchObject({ identified_domains: [], out_of_scope: true });
  });

  it('names the alternatives when the words fit two domains alike', () => {
    const build = (name: string) =>
      Domain.parse({ name, display_name: name, description: 'Sales', capabilities: ['Sales'], mcp_tools: ['q'] });
    const registry = createRegistry([build('north'), build('south')]);
    const decision = decide({ text: 'How are sales?', earlier: [] }, registry);
    expect(decision).toMatchObject({ identified_domains: ['north', 'south'], ambiguity_detected: true });
    expect(decision.reasoning).toContain('north and south alike');
  });

  it('always makes a valid decision of registered domains, the same one twice', () => {
    const words = fc.constantFrom(
      'stock',
      'customers',
      'reviews',
      'why',
      'not',
      'what about',
      'them',
      'weather',
      '?',
      '😀',
    );
    const text = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.array(words, { minLength: 1 }).map((parts) => parts.join(' ')),
    );
    fc.assert(
      fc.property(text, fc.subarray(['customer_behavior', 'inventory', 'nothing']), (question, earlier) => {
        if (question.trim() === '') return;
        const decision = route(question, earlier);
        expect(RoutingDecision.safeParse(decision).success).toBe(true);
        expect(decision.identified_domains.every((name) => retail.find(name))).toBe(true);
        const asked = decision.scores?.filter(({ score }) => score >= 0.5).map(({ domain }) => domain);
        if (decision.scores) expect(asked?.toSorted()).toEqual(decision.identified_domains.toSorted());
        expect(route(question, earlier)).toEqual(decision);
      }),
    );
  });

  it('never routes to a disabled domain', () => {
    const disabled = createRegistry(
      retail.domains.map((domain) => ({ ...domain, enabled: domain.name !== 'inventory' })),
    );
    const { identified_domains } = decide({ text: 'Show me stock levels', earlier: ['inventory'] }, disabled);
    expect(identified_domains).not.toContain('inventory');
  });
});
