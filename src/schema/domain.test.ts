import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { Domain, RoutingDecision } from './domain.ts';

const domain = { name: 'customer_behavior', display_name: 'Customers', description: 'Who buys', mcp_tools: ['query'] };
const decision = {
  user_query: 'How many?',
  identified_domains: ['sales'],
  reasoning: 'asks for sales',
  confidence: 0.8,
  ambiguity_detected: false,
  clarification_needed: false,
  out_of_scope: false,
};
const pathsOf = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value).error?.issues.map(({ path }) => path.join('.')) ?? [];

describe('Domain', () => {
  it('fills in defaults', () => {
    const defaults = { capabilities: [], related_domains: [], enabled: true };
    expect(Domain.parse(domain)).toEqual({ ...domain, ...defaults });
  });

  it.each([
    ['capitals in its name', { name: 'Sales' }, ['name']],
    ['a dash in its name', { name: 'customer-behavior' }, ['name']],
    ['two underscores', { name: 'customer__behavior' }, ['name']],
    ['an empty name', { name: '' }, ['name']],
    ['a blank title', { display_name: ' ' }, ['display_name']],
    ['no description', { description: undefined }, ['description']],
    ['no tools', { mcp_tools: [] }, ['mcp_tools']],
    ['a related name that is none', { related_domains: ['A B'] }, ['related_domains.0']],
    ['a key of its own', { space: 'x' }, ['']],
  ])('refuses %s', (_, about, paths) => {
    expect(pathsOf(Domain, { ...domain, ...about })).toEqual(paths);
  });
});

describe('RoutingDecision', () => {
  it.each([
    ['a domain', {}],
    ['no domain when asking back', { identified_domains: [], clarification_needed: true }],
    ['no domain when out of scope', { identified_domains: [], out_of_scope: true }],
    ['ambiguity with its alternatives', { ambiguity_detected: true, reasoning: 'sales or inventory' }],
  ])('takes %s', (_, about) => {
    expect(pathsOf(RoutingDecision, { ...decision, ...about })).toEqual([]);
  });

  it.each([
    ['no domain without a reason', { identified_domains: [] }, ['identified_domains']],
    ['ambiguity without alternatives', { ambiguity_detected: true, reasoning: ' ' }, ['reasoning']],
    ['an empty question', { user_query: ' ' }, ['user_query']],
    ['too much confidence', { confidence: 1.1 }, ['confidence']],
    ['too little confidence', { confidence: -0.1 }, ['confidence']],
    ['a domain that is no name', { identified_domains: ['Sales'] }, ['identified_domains.0']],
    ['a missing answer', { out_of_scope: undefined }, ['out_of_scope']],
  ])('refuses %s', (_, about, paths) => {
    expect(pathsOf(RoutingDecision, { ...decision, ...about })).toEqual(paths);
  });
});
