import { describe, expect, it } from 'vitest';
import { SpaceFile } from './space-file.ts';
import { openRunner } from './space-fixture.ts';
import { readVocabulary } from './vocabulary.ts';

const file = SpaceFile.parse({
  name: 'shop',
  title: 'a shop',
  description: 'items',
  tables: { items: { file: 'items.csv' } },
  questions: [
    {
      question: 'What is there of {kind}?',
      parameters: { kind: { type: 'value', column: 'items.kind' } },
      sql: 'SELECT 1',
      answer: 'x',
    },
  ],
});

describe('readVocabulary', () => {
  it('reads the values of parameters and of all columns that sort rows into kinds, but no dates', async () => {
    const { runner } = openRunner('item_name,kind,units,sold_on\nTote Bags,Bags,1,2025-01-02\nTee,Tops,2,2025-01-03\n');
    expect(await readVocabulary({ file, tables: [] }, runner)).toEqual({
      known: new Map([['items.kind', ['Bags', 'Tops']]]),
      values: new Map([
        ['bag', 'kind'],
        ['top', 'kind'],
        ['tot bag', 'item_name'],
        ['tee', 'item_name'],
      ]),
      columns: new Set(['kind', 'item', 'nam']),
      topic: new Set(['a', 'shop', 'item']),
      title: new Set(['a', 'shop']),
    });
  });

  it('leaves out a column with too many values to be kinds', async () => {
    const names = Array.from({ length: 400 }, (_, index) => `name ${index},Tops`);
    const { runner } = openRunner(`item,kind\n${names.join('\n')}\n`);
    const { columns, values } = await readVocabulary({ file, tables: [] }, runner);
    expect([...columns, ...values.keys()]).toEqual(['kind', 'top']);
  });
});
