import { globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { type Desk, openDesk } from '../data/ask-retail.ts';
import { sendPieces, startModelServer, writeEvents } from '../fakes/model-server.ts';
import { sweep } from '../long.ts';
import { readConditionQuestions, scoreConditions } from './routing-questions.ts';
import { answered, ask, type DomainScene, openDomains, retailOfFile } from './scene.ts';

const FILE = new URL('../fixtures/routing/questions.tsv', import.meta.url);
const QUESTIONS = readFileSync(FILE, 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [domains = '', question = ''] = line.split('\t');
    return { domains: domains.split(',').filter(Boolean).toSorted(), question };
  });

/** Questions with their answers, computed from the CSV files by hand. */
const ANSWERS: [string, string, 'high' | 'medium'][] = [
  ['Which location has the most stock?', 'North Warehouse has the highest stock: 27,676 units.', 'high'],
  [
    'Which stores in the West region have the most stockouts?',
    'Grand Mall Store has the highest stockouts: 162',
    'medium',
  ],
  [
    'Which product was out of stock the longest?',
    'Cedar Knit Sweater has the highest days out of stock: 466',
    'medium',
  ],
  ['What is the total stock value?', '$5,141,816', 'high'],
  ['What share of customers has churned?', '14% (558 of 4,000)', 'high'],
  ['How many VIPs do we have?', '221 customers', 'medium'],
  ['How many customers are in the West?', '980 customers', 'high'],
  ['What do churned customers complain about?', 'Availability has the most with 84', 'medium'],
  ['How many units of Aspen Boots do we have?', 'Stock: ', 'medium'],
];

/** Questions that must not be answered with high confidence: they say more, less or something else than the data. */
const NOT_HIGH = [
  'Which store sells the most?',
  'How much did we sell in October?',
  'Which category has the lowest turnover?',
  'What will sales be next month?',
  'Which location has the most stock in rainy weather?',
  'What are our best products?',
  'How many stockouts are there right now?',
  'How many new customers do we have?',
  'How many active customers do we have?',
  'How many units were received?',
  'How much lifetime value is at risk?',
  'Revenue in August 2023',
];

const retail = retailOfFile();

describe('the retail agent', () => {
  it('answers with what was computed first, and every figure found', { timeout: 120_000 }, async () => {
    const { runtime } = retail;
    for (const [question, text, confidence] of ANSWERS) {
      const { result } = await ask(runtime, question);
      expect({ question, content: result.content, confidence: result.confidence }).toEqual({
        question,
        content: expect.stringContaining(text),
        confidence,
      });
      const echo = result.routing?.reading?.echo ?? '';
      expect(result.content.toLowerCase().startsWith(`${echo.toLowerCase()}.`)).toBe(true);
      expect((result.checks ?? []).filter((check) => !check.found)).toEqual([]);
      expect(result.content).not.toMatch(/\bSELECT\b|[{}]/);
    }
  });

  it('is never high for a question that the data does not answer as asked', { timeout: 120_000 }, async () => {
    const { runtime } = retail;
    for (const question of NOT_HIGH) {
      const { result } = await ask(runtime, question);
      expect({ question, confidence: result.confidence }).not.toEqual({ question, confidence: 'high' });
    }
  });

  it('invents no figure for a question about its domains, and declines the others', { timeout: 120_000 }, async () => {
    const { runtime } = retail;
    for (const { domains, question } of sweep(QUESTIONS, 3)) {
      const { result } = await ask(runtime, question);
      expect((result.checks ?? []).filter((check) => !check.found)).toEqual([]);
      if (domains.length === 0) expect(result).toMatchObject({ tool_calls: [], sources: [], suggestions: [] });
      if (result.tool_calls.length === 0) expect(result.confidence).not.toBe('high');
    }
  });

  it('edits the last query where a question leans on it, and asks back after a declined one', async () => {
    const { runtime } = retail;
    const first = await ask(runtime, 'What share of customers has churned?');
    const gold = await ask(runtime, 'How does that look for Gold members?', first.conversationId);
    expect(gold.result.content).toContain('0 of 580');
    const declined = await ask(runtime, 'Which category has the lowest staff costs?', first.conversationId);
    expect(declined.result.tool_calls).toEqual([]);
    const late = await ask(runtime, 'And for Silver members?', first.conversationId);
    expect(late.result.tool_calls).toEqual([]);
    expect(late.result.content).toContain('it is not clear which question it continues');
  });

  it('asks other domains for the names that a ranking found', async () => {
    const { runtime } = retail;
    const { result } = await ask(runtime, 'Top 3 products by revenue and stock');
    expect(result.sources).toEqual(['customer_behavior.sales', 'inventory.stock']);
    const [sales, stock] = result.tool_calls.map((call) => call.result as { rows: { product: string }[] });
    const names = (list: { product: string }[] = []) => list.map(({ product }) => product).toSorted();
    expect(names(stock?.rows)).toEqual(names(sales?.rows));
  });

  it('emits routing first and the checked figures between the text and the end', async () => {
    const { runtime } = retail;
    const { events } = await ask(runtime, 'How many customers do we have?');
    const kinds = events.map(({ type }) => type);
    expect(kinds[1]).toBe('routing');
    expect(kinds.slice(-3)).toEqual(['step-end', 'annotation', 'turn-end']);
  });
});

describe('conditions', () => {
  const FILE = new URL('../fixtures/routing/conditions.tsv', import.meta.url);
  const QUESTIONS = sweep(readConditionQuestions(FILE), 3);
  /** Answers that report words as unused although the question has no unusable condition. */
  const MAX_FALSE_ALARMS = 0.02;

  const retail = retailOfFile();

  describe('a condition that no answer rests on', () => {
    it('is reported or the question declined, and nothing is reported without one', { timeout: 240_000 }, async () => {
      const { runtime } = retail;
      const used = new Map<string, string>();
      const score = await scoreConditions(QUESTIONS, async (text) => {
        const { result } = await ask(runtime, text);
        used.set(text, (result.routing?.reading?.spans ?? []).map(({ words }) => words.toLowerCase()).join(' '));
        return result;
      });
      // A condition that became a part of the executed query is answered.
      const isUsed = (question: string, words: string) => used.get(question)?.includes(words.toLowerCase()) ?? false;
      const missed = score.misses.filter(({ expected, question }) => expected !== '' && !isUsed(question, expected));
      expect(missed).toEqual([]);
      const isReported = ({ expected, got }: { expected: string; got: string }) =>
        expected === '' && got.includes('not taken into account');
      expect(score.misses.filter(isReported).length / score.plain).toBeLessThanOrEqual(MAX_FALSE_ALARMS);
    });

    it('is named first, and no figure is given for another question', async () => {
      const { runtime } = retail;
      const { result } = await ask(runtime, 'What was our revenue in Paris?');
      expect(result.content).toMatch(/^I do not know "Paris" in this data/);
      expect(result).toMatchObject({
        confidence: 'low',
        tool_calls: [],
        routing: { reading: { not_understood: ['Paris'] } },
      });
    });

    it('lowers the confidence of any model, also when the model itself leaves it out', async () => {
      const query = { name: 'query_space_sales', arguments: { query: 'total sales' } };
      const model = createScriptedModel([{ calls: [query] }, 'Sales were 500.']);
      const scene = { name: 'sales', capabilities: ['sales'], answer: async () => answered('500.', [{ sales: 500 }]) };
      const { result } = await ask(await openDomains([scene], {}, model), 'What were total sales in Paris last month?');
      expect(result).toMatchObject({
        content: 'Sales were 500.',
        confidence: 'low',
        partial_results: true,
        error_details: [{ reason: '"in Paris" and "last month" were not taken into account.' }],
      });
    });
  });
});

describe('the space files of agents/retail', () => {
  /** A newcomer copies these files: every key more is one more to learn. */
  const KEYS = {
    tables: 'file key label synonyms time joins say snapshot good',
    measures: 'sum average count share ratio where unit good highest lowest synonyms min_rows over_time time_sum',
    dimensions: 'columns synonyms values order say',
    filters: 'columns is rows of where synonyms opposite say',
  };

  it('use few keys', () => {
    const files = globSync(new URL('../../agents/retail/spaces/*.yaml', import.meta.url).pathname);
    expect(files).toHaveLength(3);
    for (const file of files) {
      const { name, title, description, today, verified, ...rest } = parse(readFileSync(file, 'utf8'));
      const used = Object.entries(rest).flatMap(([part, entries]) =>
        Object.values(entries as object).flatMap((entry) => Object.keys(entry).map((key) => `${part}.${key}`)),
      );
      const known = Object.entries(KEYS).flatMap(([part, keys]) => keys.split(' ').map((key) => `${part}.${key}`));
      expect(used.filter((key) => !known.includes(key))).toEqual([]);
    }
  });
});

describe('manager', () => {
  const FILE = new URL('../fixtures/routing/manager.tsv', import.meta.url);
  /** Message → the beginning of its answer, or `declined`. A blank line begins a new conversation. */
  const CONVERSATIONS = readFileSync(FILE, 'utf8')
    .split('\n\n')
    .map((block) => block.split('\n').filter((line) => line !== '' && !line.startsWith('#')))
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => line.split('\t')));
  /** More of them would be no help: a manager asks ordinary questions. */
  const MOST_DECLINED = 8;
  let desk: Desk;

  beforeAll(async () => {
    desk = await openDesk();
  }, 120_000);
  afterAll(() => desk.close());

  describe("a shop manager's messages", { timeout: 240_000 }, () => {
    it('are answered as expected, and hardly any is declined', async () => {
      const answers: [string | undefined, string][] = [];
      for (const turns of CONVERSATIONS) {
        const conversation = {};
        for (const [message = '', expected = ''] of turns) {
          const { content, calls } = await desk.ask(message, conversation);
          const begins = calls.length === 0 ? 'declined' : content.slice(0, expected.length);
          answers.push([message, begins]);
        }
      }
      expect(answers).toEqual(CONVERSATIONS.flat().map(([message, expected]) => [message, expected]));
      expect(answers.filter(([, begins]) => begins === 'declined').length).toBeLessThanOrEqual(MOST_DECLINED);
    });
  });
});

const carts: DomainScene = {
  name: 'carts',
  capabilities: ['Cart abandonment'],
  answer: async () => answered('Cart abandonment is 40 %.', [{ abandonment: 0.4 }]),
};

/** The answer of a model behind a real wire protocol that asks the domain with the words of the question first. */
async function answerAfterCall(text: string, question: string) {
  const call = { name: 'query_space_carts', arguments: JSON.stringify({ query: question }) };
  const delta = { tool_calls: [{ index: 0, id: 'c1', type: 'function', function: call }] };
  const asks = writeEvents({ choices: [{ index: 0, delta, finish_reason: 'tool_calls' }] }, '[DONE]');
  const words = writeEvents({ choices: [{ index: 0, delta: { content: text }, finish_reason: 'stop' }] }, '[DONE]');
  await using server = await startModelServer([sendPieces([asks]), sendPieces([words])]);
  const model = { provider: 'openai_compatible', name: 'fake', endpoint: server.url, api_key: 'key' };
  return (await ask(await openDomains([carts], { model }), question)).result;
}

/** The answer of a model behind a real wire protocol that calls no tool. */
async function answerWith(text: string, question: string) {
  const words = writeEvents({ choices: [{ index: 0, delta: { content: text }, finish_reason: 'stop' }] }, '[DONE]');
  await using server = await startModelServer([sendPieces([words])]);
  const model = { provider: 'openai_compatible', name: 'fake', endpoint: server.url, api_key: 'key' };
  const { result, events } = await ask(await openDomains([carts], { model }), question);
  expect(server.requests).toHaveLength(1);
  return { result, marks: events.flatMap((event) => (event.type === 'annotation' ? event.checks : [])) };
}

describe('a figure that only the question holds', () => {
  it('is not found, although a domain was asked with it', async () => {
    const question = 'We lost 5,000 carts to a cart abandonment of 40 %, right?';
    const { checks, confidence } = await answerAfterCall('You lost 5,000 carts at 40 %.', question);
    expect(checks).toMatchObject([
      { text: '5,000', found: false },
      { text: '40 %', found: true, row: 0, column: 'abandonment' },
    ]);
    expect(confidence).toBe('medium');
  });
});

describe('figures of a model that asked no domain', () => {
  it('are marked as unverified, with low confidence', async () => {
    const text = 'Cart abandonment is 31 % this month, 1,204 carts in all. Ten percent came back.';
    const { result, marks } = await answerWith(text, 'What is our cart abandonment?');
    expect(result.checks).toEqual([
      { text: '31 %', start: 20, end: 24, found: false },
      { text: '1,204', start: 37, end: 42, found: false },
      { text: 'Ten percent', start: 57, end: 68, found: false },
    ]);
    expect(marks).toEqual(result.checks);
    expect(result).toMatchObject({ confidence: 'low', sources: [], suggestions: [] });
  });

  it('are marked also where they are the question’s own', async () => {
    const { result } = await answerWith('Yes, it is 31 %.', 'Is cart abandonment 31 %?');
    expect(result).toMatchObject({ confidence: 'low', checks: [{ text: '31 %', found: false }] });
  });

  it.each([
    ['a greeting', 'Hello! Ask me one thing or two about carts.', 'Hi'],
    ['a question back', 'Do you mean the top 5 or the top 10 carts?', 'Show me the top 5'],
    ['a refusal', "I don't have data for 2019.", 'How was cart abandonment in 2019?'],
    ['a numbered list', 'I can help with:\n1. carts\n2. orders', 'Help'],
  ])('are not found in %s', async (_name, text, question) => {
    const { result } = await answerWith(text, question);
    expect([result.checks, result.confidence]).toEqual([undefined, undefined]);
  });
});
