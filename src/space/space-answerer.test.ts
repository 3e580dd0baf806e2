import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { systemIds } from '../ids.ts';
import { loadWordVectors } from '../language/word-vectors.ts';
import type { Model } from '../models/model.ts';
import { createScriptedModel } from '../models/scripted.ts';
import { SpaceFile } from './load/space-file.ts';
import type { AnswerOutcome } from './space-answer.ts';
import { createSpaceAnswerer, type SpaceAnswerer } from './space-answerer.ts';
import { openRunner } from './space-fixture.ts';

const vectors = loadWordVectors();
const tables = { items: { file: 'items.csv', key: 'item', label: 'item', synonyms: ['product'] } };
const about = { name: 'shop', title: 'a shop', description: 'items' };
/** A file with measures. */
const composed = SpaceFile.parse({
  ...about,
  tables,
  measures: {
    units: { sum: 'items.units', unit: 'units', synonyms: ['stock'] },
    price: { average: 'items.price', unit: 'USD', highest: ['expensive'] },
  },
  dimensions: { kind: { columns: ['items.kind'] } },
  verified: [
    {
      ask: 'Which item has the most units?',
      query: {
        measures: [{ name: 'units' }],
        dimensions: ['item'],
        order: { by: 'units', direction: 'highest' },
        limit: 1,
      },
    },
  ],
});
/** A file as it was before measures: trusted questions only. */
const trusted = SpaceFile.parse({
  ...about,
  tables: { items: { file: 'items.csv', columns: { units: 'Pieces on the shelf' } } },
  questions: [
    {
      question: 'What are the top items by units?',
      examples: ['Which goods do we have most of?'],
      sql: 'SELECT item, units, price FROM items ORDER BY units DESC LIMIT 1',
      answer: '{item} leads with {units} units[ of {kind}] at {price}.',
      formats: { price: 'USD' },
    },
    { question: 'What is broken?', sql: 'DELETE FROM items', answer: 'x' },
  ],
});

function open(file: SpaceFile, model?: Model): SpaceAnswerer {
  const { runner, folder } = openRunner();
  const space = { file, tables: [{ name: 'items', path: join(folder, 'items.csv'), types: {}, indexes: [] }] };
  return createSpaceAnswerer({
    space,
    runner,
    vectors: () => vectors,
    clock: systemClock,
    ids: systemIds,
    ...(model && { model }),
  });
}

const ask = (file: SpaceFile, question: string, model?: Model): Promise<AnswerOutcome> =>
  open(file, model).answer(question, AbortSignal.timeout(20_000));

describe('createSpaceAnswerer over a model', () => {
  it('composes an answer and says what was computed', async () => {
    expect(await ask(composed, 'Which item has the most units?')).toMatchObject({
      answer: {
        text: 'Tee has the highest units: 250 units.',
        echo: 'units by item, highest first, top 1',
        confidence: 'high',
        drawing: 'figure',
        rows: { columns: ['item', 'units'], rows: [['Tee', 250]] },
      },
    });
  });

  it.each([
    ['Which item has the fewest units?', 'Parka has the lowest units: 0 units.'],
    ['How many units of Shoes?', 'Units: 12 units.'],
    ['How many items do we have?', 'Items: 3 items.'],
  ])('answers %j', async (question, text) => {
    expect(await ask(composed, question)).toMatchObject({ answer: { text } });
  });

  it.each(['Which item has the most units in Paris?', 'Which item weighs the most?'])(
    'gives no figure for %j and names the words',
    async (question) => {
      expect(await ask(composed, question)).toEqual({
        failure: expect.stringMatching(/^I do not know ".+" in the data/),
      });
    },
  );

  it('runs a query object and refuses unknown names with the nearest ones', async () => {
    const answerer = open(composed);
    const run = (query: object) => answerer.run(JSON.parse(JSON.stringify(query)), AbortSignal.timeout(20_000));
    const query = { measures: [{ name: 'units' }], dimensions: ['kind'] };
    expect(await run(query)).toMatchObject({ answer: { confidence: 'high', drawing: 'bars' } });
    expect(await run({ ...query, not_expressible: ['in Paris'] })).toMatchObject({ answer: { confidence: 'medium' } });
    expect(await run({ measures: [{ name: 'unit' }] })).toEqual({ failure: expect.stringContaining('units') });
    const filters = [{ dimension: 'kind', values: ['Shoe'], negated: false }];
    expect(await run({ ...query, filters })).toEqual({ failure: expect.stringContaining('Shoes') });
  });

  it('lets a model write SQL for a declined question, shown and never with high confidence', async () => {
    const model = createScriptedModel(['```sql\nSELECT avg(price) AS average_price FROM items;\n```']);
    expect(await ask(composed, 'Who is the mayor?', model)).toMatchObject({
      answer: { sql: 'SELECT avg(price) AS average_price FROM items', confidence: 'low' },
    });
  });

  it('gives a model that wrote something else one more try, under the same guard', async () => {
    const model = createScriptedModel(['SELECT * FROM sqlite_schema', 'SELECT count(*) AS n FROM items']);
    expect(await ask(composed, 'Who is the mayor?', model)).toMatchObject({ answer: { rows: { rows: [[3]] } } });
    expect(model.requests[1]?.messages[0]?.content).toContain('was refused');
  });

  it('declines if the model reports that the data lacks the answer', async () => {
    const model = createScriptedModel(['NONE']);
    expect(await ask(composed, 'Who is the mayor?', model)).toEqual({
      failure: expect.stringContaining('do not know'),
    });
  });

  it('is cancelled while a model writes', async () => {
    const stop = new AbortController();
    const model = createScriptedModel(() => {
      stop.abort();
      return { hang: true };
    });
    const outcome = await open(composed, model).answer('Who is the mayor?', stop.signal);
    expect(outcome).toEqual({ failure: 'The question was cancelled.', isCancelled: true });
  });
});

describe('createSpaceAnswerer over trusted questions alone', () => {
  it.each(['What are the top items by units?', 'what are top item by units', 'Which goods do we have most of'])(
    'answers %j, worded like its author',
    async (question) => {
      expect(await ask(trusted, question)).toMatchObject({
        answer: { text: 'Tee leads with 250 units at $19.90.', confidence: 'high' },
      });
    },
  );

  it.each([
    'What are the bottom items by units?',
    'Which goods do we have least of?',
    'What are the top items by price?',
  ])('declines %j, which is another question', async (question) => {
    expect(await ask(trusted, question)).toHaveProperty('failure');
  });

  it('runs no trusted SQL that changes anything', async () => {
    expect(await ask(trusted, 'What is broken?')).toEqual({ failure: 'The query was refused: not authorized' });
  });
});
