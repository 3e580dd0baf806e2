import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { loadWordVectors } from '../language/word-vectors.ts';
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
function open(file: SpaceFile): SpaceAnswerer {
  const { runner, folder } = openRunner();
  const space = { file, tables: [{ name: 'items', path: join(folder, 'items.csv'), indexes: [] }], prove: () => {} };
  return createSpaceAnswerer({
    space,
    runner,
    vectors: () => vectors,
    clock: systemClock,
  });
}

const ask = (file: SpaceFile, question: string): Promise<AnswerOutcome> =>
  open(file).answer(question, AbortSignal.timeout(20_000));

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
});
