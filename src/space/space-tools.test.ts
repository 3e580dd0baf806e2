import { describe, expect, it } from 'vitest';
import { ALICE } from '../../test/build.ts';
import { DataQuery } from '../schema/data-query.ts';
import type { SpaceFile } from './load/space-file.ts';
import type { AnswerOutcome } from './space-answer.ts';
import { createSpaceTools } from './space-tools.ts';

const ANSWER: AnswerOutcome = {
  answer: {
    text: 'Boots lead.',
    sql: 'SELECT item, units FROM items WHERE item = :p1',
    parameters: { p1: "Men's" },
    rows: { columns: ['item', 'units'], rows: [['Boots', 5]], isCut: true, notes: ['1 value is missing.'] },
    formats: { units: 'integer' },
    echo: 'units by item',
    query: DataQuery.parse({ measures: [{ name: 'units' }], dimensions: ['item'] }),
    drawing: 'bars',
    confidence: 'medium',
    reasons: ['few rows'],
  },
};

function ask(answer: (question: string, signal: AbortSignal) => Promise<AnswerOutcome>, stop = new AbortController()) {
  const file = {
    name: 'x',
    title: 'Items',
    description: 'All.',
    questions: [],
    verified: [],
    tables: {},
    measures: {},
  };
  const [tool, ...others] = createSpaceTools(
    file as unknown as SpaceFile,
    { answer, run: () => answer('', stop.signal) },
    'items',
  ); // the fields that are read
  expect(others).toEqual([]);
  const context = { user: ALICE, conversationId: 'k', callId: '1', progress: () => {}, ask: async () => null };
  return tool?.run({ query: 'q' }, { ...context, signal: stop.signal });
}

describe('createSpaceTools', () => {
  it('returns an answer in the shape that all domains share', async () => {
    expect(await ask(async () => ANSWER)).toEqual({
      result: {
        answer: 'Boots lead.',
        reading: 'units by item',
        confidence: 'medium',
        reasons: ['few rows'],
        drawing: 'bars',
        data_query: expect.objectContaining({ dimensions: ['item'], limit: null }),
        data_notes: ['1 value is missing.'],
        question: 'units by item',
        sql_query: "SELECT item, units FROM items WHERE item = 'Men''s'",
        columns: [
          { name: 'item', type: 'STRING' },
          { name: 'units', type: 'LONG', format: 'integer' },
        ],
        rows: [{ item: 'Boots', units: 5 }],
        row_count: 1,
        more_rows: true,
      },
    });
  });

  it('returns a failure as an error, whatever numbers it names', async () => {
    const message = 'No item costs 429 or 403.';
    expect(await ask(async () => ({ failure: message }))).toEqual({
      error: { error_type: 'ToolInvocationError', message },
    });
  });

  it('stops the query of a caller who leaves', async () => {
    const stop = new AbortController();
    const left = ask(
      (_question, signal) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve({ failure: 'cancelled' }))),
      stop,
    );
    stop.abort();
    expect(await left).toMatchObject({ error: { message: 'cancelled' } });
  });
});
