import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadAgent } from '../../src/config/load-agent.ts';
import { createScriptedModel, type ScriptedReply } from '../../src/models/scripted.ts';
import { createRuntime, type Runtime } from '../../src/runtime/runtime.ts';
import type { JsonObject } from '../../src/schema/json.ts';
import { type Asked, ask } from './scene.ts';

/** The retail agent with a model that fills in query objects, as its tool requires: every field is there. */
const folder = mkdtempSync(join(tmpdir(), 'holodeck-model-queries-'));
let replies: ScriptedReply[] = [];
let runtime: Runtime;
beforeAll(async () => {
  const agent = await loadAgent(join(import.meta.dirname, '../../agents/retail/agent.yaml'));
  runtime = await createRuntime({ agents: [agent], folder, model: createScriptedModel(() => replies.shift() ?? '') });
});
afterAll(async () => {
  await runtime.stop();
  rmSync(folder, { recursive: true, force: true });
});

const EMPTY = {
  ...{ measures: [], dimensions: [], grain: null, filters: [], named: [], numbers: [], without: null, having: [] },
  ...{
    period: null,
    compare: null,
    order: null,
    limit: null,
    limit_within: null,
    share: 'none',
    part: null,
    per: null,
  },
  ...{ not_expressible: [], assumptions: [] },
};
const measure = (name: string) => ({ name, aggregate: null, among: null, distinct: null });
const MAY = { from: '2025-05-01', to: '2025-05-31', words: 'May' };
const JUNE = { from: '2025-06-01', to: '2025-06-30', words: 'June' };

async function answerWith(question: string, call: { tool: string; query: JsonObject; text: string }): Promise<Asked> {
  const { tool, query, text } = call;
  replies = [{ calls: [{ name: tool, arguments: { ...EMPTY, ...query } }] }, text];
  return ask(runtime, question);
}

const ranked = (name: string) => ({
  measures: [measure(name)],
  dimensions: ['location'],
  order: { by: name, direction: 'highest', of: null },
  limit: 1,
});

describe('a query object that a model fills in', { timeout: 60_000 }, () => {
  it('is high where our own reading of a verified question is the same query', async () => {
    const { result } = await answerWith('Which location has the most stock?', {
      tool: 'run_query_stock',
      query: ranked('stock'),
      text: 'North Warehouse has the most stock: 27,676 units.',
    });
    expect(result).toMatchObject({ confidence: 'high', sources: ['inventory.stock'], partial_results: false });
    expect(result.checks?.map(({ found }) => found)).toEqual([true]);
  });

  it.each<[string, string, JsonObject, string]>([
    ['asks for another measure', 'Which location has the most stock?', ranked('stock value'), 'East Warehouse leads.'],
    [
      'leaves out a condition',
      'Number of stockouts per month',
      { measures: [measure('number of stockouts')] },
      'Some.',
    ],
    [
      'is our own reading, which no verified question confirms',
      'Lost units by brand',
      {
        measures: [measure('lost units')],
        dimensions: ['brand'],
      },
      'By brand.',
    ],
  ])('is medium at most where it %s', async (_why, question, query, text) => {
    const { result } = await answerWith(question, { tool: 'run_query_stock', query, text });
    expect(result.tool_calls.map(({ state }) => state)).toEqual(['completed']);
    expect(result.confidence).toBe('medium');
  });

  it('compares two periods in time order, also where the model exchanges them', async () => {
    const compare = (period: JsonObject, before: JsonObject) =>
      answerWith('Compare revenue in June 2025 with May 2025', {
        tool: 'run_query_sales',
        query: { measures: [measure('revenue')], period, compare: before },
        text: 'Revenue rose.',
      });
    const [given, exchanged] = [await compare(JUNE, MAY), await compare(MAY, JUNE)].map(
      ({ result }) => result.tool_calls[0]?.result,
    );
    expect(given).toMatchObject({
      reading: 'revenue, from 2025-06-01 to 2025-06-30, compared with 2025-05-01 to 2025-05-31',
    });
    expect(exchanged).toEqual(given);
  });

  it('names the words that no field expresses and the choices that were made', async () => {
    const { result } = await answerWith('What is the total revenue?', {
      tool: 'run_query_sales',
      query: { measures: [measure('revenue')], not_expressible: ['net of tax'], assumptions: ['all channels'] },
      text: 'Revenue is $2,430,654.',
    });
    expect(result).toMatchObject({
      confidence: 'low',
      partial_results: true,
      error_details: [{ reason: '"net of tax" is not part of what was computed' }, { reason: 'all channels' }],
    });
  });
});
