import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isObject } from '../../src/schema/json.ts';
import type { ToolCall } from '../../src/schema/tool-call.ts';
import { ask, openRetail } from './scene.ts';

const FILE = new URL('../../data/routing/questions.tsv', import.meta.url);
const QUESTIONS = readFileSync(FILE, 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [domains = '', question = ''] = line.split('\t');
    return { domains: domains.split(',').filter(Boolean).toSorted(), question };
  });

function productsOf({ result }: ToolCall): string[] {
  const rows = isObject(result) && Array.isArray(result.rows) ? result.rows : [];
  return rows.filter(isObject).map(({ product }) => String(product));
}

describe('the retail agent', () => {
  it('answers every question that has data behind it, with every figure found', { timeout: 120_000 }, async () => {
    const runtime = await openRetail();
    for (const { domains, question } of QUESTIONS.filter((one) => one.domains.length > 0)) {
      const { result } = await ask(runtime, question);
      const unfound = (result.checks ?? []).filter((check) => !check.found);
      expect({ question, unfound, confidence: result.confidence, partial: result.partial_results }).toEqual({
        question,
        unfound: [],
        confidence: 'high',
        partial: false,
      });
      expect(result.sources.map((source) => source.split('.')[0]).toSorted()).toEqual(domains);
      expect(result.suggestions.length).toBeGreaterThanOrEqual(1);
      expect(result.content).toContain('Suggested next steps');
      expect(result.content).not.toMatch(/\bSELECT\b|[{}]/);
    }
  });

  it('declines what is not about its data, and asks nothing', async () => {
    const runtime = await openRetail();
    for (const { question } of QUESTIONS.filter((one) => one.domains.length === 0)) {
      const { result } = await ask(runtime, question);
      expect(result).toMatchObject({
        status: 'completed',
        tool_calls: [],
        sources: [],
        suggestions: [],
        partial_results: false,
      });
      expect(result.content).toMatch(/I can answer questions about/);
      expect(result.confidence).toBeUndefined();
    }
  });

  it('carries the domains of the last question, and its words where the next one has none', async () => {
    const runtime = await openRetail();
    const first = await ask(runtime, 'What are the top 5 products by cart abandonment rate?');
    const again = await ask(runtime, 'And the top 3 last month?', first.conversationId);
    expect(again.result.sources).toEqual(['customer_behavior.sales']);
    expect(again.result.tool_calls[0]?.arguments.query).toBe(
      'What are the top 5 products by cart abandonment rate? (And the top 3 last month?)',
    );
    expect(again.result.tool_calls[0]?.result).toMatchObject({ row_count: 3 });
    const other = await ask(runtime, 'What about their demographics?', first.conversationId);
    expect(other.result.sources).toEqual(['customer_behavior.sales']);
    expect(other.result.content).toContain('largest group');
    const ids = [first, again, other].map(({ result }) => result.tool_calls[0]?.result);
    expect(new Set(ids.map((value) => (value as { conversation_id?: string }).conversation_id)).size).toBe(1);
  });

  it('asks in order where one part needs the answer of the other', async () => {
    const runtime = await openRetail();
    const { result } = await ask(runtime, 'Which products are left in carts, and is stock low?');
    expect(result.iterations).toBe(3);
    const [first, second] = result.tool_calls.map(productsOf);
    expect(result.tool_calls[1]?.arguments.query).toContain(`(${first?.slice(0, 5).join(', ')})`);
    expect(second?.toSorted()).toEqual(first?.slice(0, 5).toSorted());
  });

  it('tells routing first and the checked figures between the text and the end', async () => {
    const runtime = await openRetail();
    const { events } = await ask(runtime, 'How many customers do we have?');
    const kinds = events.map(({ type }) => type);
    expect(kinds[1]).toBe('routing');
    expect(kinds.slice(-3)).toEqual(['step-end', 'annotation', 'turn-end']);
  });
});
