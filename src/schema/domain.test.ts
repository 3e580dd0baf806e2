import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { formatCell } from './column-format.ts';
import { Domain, Intent, RoutingDecision, TodoIntent } from './domain.ts';

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

describe('Intent', () => {
  it.each([
    { name: 'create_task', parameters: { title: 'milk' } },
    { name: 'unknown', confidence: 0, parameters: {} },
    { name: 'x', confidence: 1, parameters: {}, clarification_question: 'Which one?' },
  ])('takes %j', (intent) => {
    expect(Intent.parse(intent)).toEqual(intent);
  });

  it.each([
    { name: '' },
    { confidence: 1.01 },
    { confidence: -0.01 },
    { parameters: undefined },
    { parameters: [] },
    { clarification_question: '' },
    { tool: 'add_task' },
  ])('refuses %j', (about) => {
    expect(Intent.safeParse({ name: 'a', parameters: {}, ...about }).success).toBe(false);
  });
});

describe('TodoIntent', () => {
  it('has the seven names', () => {
    expect(TodoIntent.options).toEqual([
      'create_task',
      'list_tasks',
      'complete_task',
      'delete_task',
      'update_task',
      'clarification_needed',
      'unknown',
    ]);
  });
});

describe('formatCell', () => {
  it.each([
    [0.2531, 'percent', '25.3%'],
    [1, 'percent', '100%'],
    [1234567.8, 'USD', '$1,234,568'],
    [19.9, 'USD', '$19.90'],
    [-5, 'USD', '-$5'],
    [19.9, 'EUR', '€19.90'],
    [1234.5, 'JPY', '¥1,235'],
    [12.5, 'CHF', 'CHF\u00a012.50'],
    [19.9, 'money', '19.90'],
    [1234.5, 'money', '1,235'],
    [1234.567, 'number', '1,234.57'],
    [2025, 'text', '2025'],
    [1234, undefined, '1,234'],
    ['x', 'money', 'x'],
    [null, 'number', '–'],
  ] as const)('shows %j as %s like %j', (value, format, text) => {
    expect(formatCell(value, format)).toBe(text);
  });
});
