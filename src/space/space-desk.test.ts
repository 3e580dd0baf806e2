import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadWordVectors } from '../builtin/word-vectors.ts';
import { createFakeClock, systemClock } from '../clock.ts';
import type { Model } from '../models/model.ts';
import { createScriptedModel } from '../models/scripted.ts';
import { createSpaceDesk, type DeskOutcome } from './space-desk.ts';
import { SpaceFile } from './space-file.ts';
import { openRunner } from './space-fixture.ts';
import type { SqlRunner } from './sql-runner.ts';

const vectors = loadWordVectors();
const file = SpaceFile.parse({
  name: 'shop',
  title: 'a shop',
  description: 'items',
  tables: { items: { file: 'items.csv', columns: { units: 'Pieces on the shelf' } } },
  questions: [
    {
      question: 'What are the top {n} items by units?',
      examples: ['Which goods do we have most of?'],
      parameters: { n: { type: 'count', default: 2 }, kind: { type: 'value', column: 'items.kind' } },
      sql: 'SELECT item, units, price FROM items WHERE :kind IS NULL OR kind = :kind ORDER BY units DESC LIMIT :n',
      answer: '{item} leads with {units} units[ of {kind}] at {price}.',
      none: 'There is nothing.',
      formats: { price: 'money' },
    },
    {
      question: 'When do we have the most units?',
      sql: "SELECT '2025-1' || (units = 0) AS month, count(*) AS sold FROM items GROUP BY month ORDER BY sold DESC",
      answer: 'Most are there in {month}.',
    },
    {
      question: 'How many pounds does each kind weigh?',
      sql: 'SELECT kind, sum(units) AS pounds FROM items GROUP BY kind ORDER BY pounds DESC',
      answer: '{kind} weighs most.',
      one: 'All is {kind}.',
    },
    { question: 'What is broken?', sql: 'DELETE FROM items', answer: 'x' },
  ],
});

async function answer(
  question: string,
  model?: Model,
  { timeoutSeconds = 20, signal = AbortSignal.timeout(20_000) } = {},
): Promise<DeskOutcome> {
  const { runner, folder } = openRunner();
  const limited = { ...file, limits: { rows: 50, timeout_seconds: timeoutSeconds } };
  const space = { file: limited, tables: [{ name: 'items', path: join(folder, 'items.csv'), types: {}, indexes: [] }] };
  const desk = createSpaceDesk({ space, runner, vectors: () => vectors, clock: systemClock, ...(model && { model }) });
  return desk.answer(question, signal);
}

describe('createSpaceDesk', () => {
  it('answers a trusted question with its parameters', async () => {
    expect(await answer('show the top 1 items by units')).toEqual({
      answer: {
        text: 'Tee leads with 250 units at $19.90.',
        sql: file.questions[0]?.sql,
        description: 'What are the top 1 items by units?',
        rows: { columns: ['item', 'units', 'price'], rows: [['Tee', 250, 19.9]], isCut: false },
        formats: { price: 'money' },
        unused: [],
      },
    });
  });

  it.each(['Which goods do we have most of?', 'What products have the most units?'])('knows %j', async (question) => {
    expect(await answer(question)).toMatchObject({ answer: { text: 'Tee leads with 250 units at $19.90.' } });
  });

  it('says which words its answer does not rest on', async () => {
    expect(await answer('top items by units in Paris')).toMatchObject({ answer: { unused: [{ words: 'Paris' }] } });
    expect(await answer('top items by units of shoes and coats')).toMatchObject({
      answer: { unused: [{ words: 'coats', column: 'kind' }] },
    });
  });

  it('takes a value of the data from the words', async () => {
    expect(await answer('top items by units of shoes')).toMatchObject({
      answer: { text: 'Boots leads with 12 units of Shoes at $99.50.' },
    });
  });

  it('passes over a nearer question that gives something else than what was asked for', async () => {
    expect(await answer('When do we have the most units?')).toMatchObject({
      answer: { text: 'Most are there in 2025-10.' },
    });
    expect(await answer('Which items do we have the most units of?')).toMatchObject({
      answer: { text: 'Tee leads with 250 units at $19.90.' },
    });
    expect(await answer('Who has the most units?')).toEqual({ failure: expect.stringContaining('no ready') });
  });

  it('says what its figures are told apart by where one for all was asked for', async () => {
    expect(await answer('How many pounds does it weigh?')).toMatchObject({ answer: { onlyBy: 'kind' } });
    expect(await answer('How many pounds does each kind weigh?')).not.toHaveProperty('answer.onlyBy');
  });

  it('lets a model write SQL for the whole where only parts are there, and falls back on them', async () => {
    const writing = createScriptedModel(['SELECT sum(units) AS pounds FROM items']);
    const declining = createScriptedModel(['NONE']);
    const question = 'How many pounds does it weigh?';
    expect(await answer(question, writing)).toMatchObject({ answer: { rows: { rows: [[262]] } } });
    expect(await answer(question, declining)).toMatchObject({ answer: { onlyBy: 'kind' } });
  });

  it.each([
    ['is refused twice', ['SELECT * FROM sqlite_schema', 'SELECT * FROM nothing']],
    ['takes too long', ['WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n']],
    ['cannot be had', [{ error: new Error('down') }]],
  ])('falls back on the parts where the SQL that a model writes %s', async (_, replies) => {
    const model = createScriptedModel(replies);
    expect(await answer('How many pounds does it weigh?', model, { timeoutSeconds: 2 })).toMatchObject({
      answer: { onlyBy: 'kind' },
    });
  });

  it('is cancelled while a model writes, whatever is there in parts', async () => {
    const stop = new AbortController();
    const model = createScriptedModel(() => {
      stop.abort();
      return { hang: true };
    });
    const outcome = await answer('How many pounds does it weigh?', model, { signal: stop.signal });
    expect(outcome).toEqual({ failure: 'The question was cancelled.', isCancelled: true });
  });

  it('has one deadline for all trusted questions that it looks at', async () => {
    const clock = createFakeClock();
    const timeouts: number[] = [];
    const runner: SqlRunner = {
      load: async () => [],
      async query({ sql, timeoutMs }) {
        if (sql.includes('DISTINCT')) return { rows: { columns: ['kind'], rows: [['Tops']], isCut: false } };
        timeouts.push(timeoutMs);
        await clock.advance(30_000);
        return { rows: { columns: ['item', 'units'], rows: [['Tee', 250]], isCut: false } };
      },
      describe: async () => ({ columns: [] }),
      close() {},
    };
    const desk = createSpaceDesk({ space: { file, tables: [] }, runner, vectors: () => vectors, clock });
    expect(await desk.answer('top items by most units in Paris', new AbortController().signal)).toMatchObject({
      answer: { unused: [{ words: 'Paris' }] },
    });
    expect(timeouts).toEqual([45_000, 15_000]);
  });

  it('names the nearest questions where none fits', async () => {
    expect(await answer('Who is the mayor of Paris?')).toEqual({
      failure: expect.stringContaining('There is no ready answer for this here. Ask, for example: "What '),
    });
  });

  it('runs no trusted SQL that changes anything', async () => {
    expect(await answer('What is broken?')).toEqual({ failure: 'The query was refused: not authorized' });
  });

  it('lets a model write SQL where none fits, and shows it', async () => {
    const model = createScriptedModel(['```sql\nSELECT avg(price) AS average_price FROM items;\n```']);
    expect(await answer('Who is the mayor?', model)).toMatchObject({
      answer: { sql: 'SELECT avg(price) AS average_price FROM items', description: 'Written by the model' },
    });
    expect(model.requests[0]?.system).toContain('units integer -- Pieces on the shelf');
  });

  it('gives a model that wrote something else one more try, under the same guard', async () => {
    const model = createScriptedModel(['SELECT * FROM sqlite_schema', 'SELECT count(*) AS n FROM items']);
    expect(await answer('Who is the mayor?', model)).toMatchObject({ answer: { rows: { rows: [[3]] } } });
    expect(model.requests[1]?.messages[0]?.content).toContain('was refused');
  });

  it('declines with a model that says that the data does not hold it', async () => {
    const model = createScriptedModel(['NONE']);
    expect(await answer('Who is the mayor?', model)).toEqual({ failure: expect.stringContaining('no ready answer') });
  });
});
