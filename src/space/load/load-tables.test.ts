import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { folderWith } from '../space-fixture.ts';
import { describeTables, loadTables } from './load-tables.ts';
import type { TableFile } from './read-table.ts';

async function load(csv: string, more: Partial<TableFile> = {}) {
  const folder = folderWith({ 'items.csv': csv });
  const file = { name: 'items', path: join(folder, 'items.csv'), indexes: [], ...more };
  const { path } = await loadTables(join(folder, 'databases'), 'test', [file]);
  const database = new DatabaseSync(path, { readOnly: true });
  const [table] = describeTables(database, ['items']);
  const rows = database.prepare('SELECT * FROM items').all();
  database.close();
  return { table, rows, folder, file };
}

const many = (count: number, row: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => `${row(at)}\n`).join('');

describe('loadTables', () => {
  it.each([
    ['a number with a fraction', '1.5', 'real', 1.5],
    ['a word', 'none of them', 'text', 'none of them'],
  ])('reads the file again when %s comes after thousands of whole numbers', async (_name, value, type, last) => {
    const { table, rows } = await load(`units\n${many(5_000, (at) => String(at))}${value}\n`);
    expect(table).toMatchObject({ rows: 5_001, columns: [{ name: 'units', type, missing: 0 }] });
    expect(rows.at(-1)).toEqual({ units: last });
    expect(rows.at(12)).toEqual({ units: type === 'text' ? '12' : 12 });
  });

  it('keeps every row, also where the last statement is not full', async () => {
    const { rows } = await load(`id,name\n${many(4_321, (at) => `${at},"row, ${at}"`)}`);
    expect(rows).toEqual(Array.from({ length: 4_321 }, (_, at) => ({ id: at, name: `row, ${at}` })));
  });

  it('knows how many values of each column are missing, and where the first gap is', async () => {
    const { table } = await load('name,units,store_id\nBoots,1,1\n,n/a,\nParka,,3\n');
    expect(table?.columns).toEqual([
      { name: 'name', type: 'text', missing: 1 },
      { name: 'units', type: 'integer', missing: 2 },
      { name: 'store_id', type: 'integer', missing: 1 },
    ]);
    const text = '2 of 3 values of units are missing ("n/a", empty, first on line 3 of items.csv).';
    const gap = '1 of 3 values of name is missing (empty, first on line 3 of items.csv).';
    const names = { column: 'name', text: `${gap} Rows without name are in no group by it.` };
    expect(table?.notes).toEqual([names, { column: 'units', text }]);
  });

  it('proves a key, and names the lines of a row that is there twice', async () => {
    const csv = 'month,store,units\n2025-09,1,5\n\n2025-10,1,7\n2025-09,2,1\n2025-10,1,9\n';
    await expect(load(csv, { key: ['month', 'store', 'units'] })).resolves.toBeDefined();
    await expect(load(csv, { key: ['month', 'store'] })).rejects.toThrow(
      'items.csv:6: month, store 2025-10, 1 is also on line 4; a key must be unique',
    );
    await expect(load('id\n1\n""\n', { key: ['id'] })).rejects.toThrow('items.csv:3: id is empty; it is the key');
  });

  it('proves joins: an unknown value is a note, no known value at all is refused', async () => {
    const joined = async (csv: string) => {
      const folder = folderWith({ 'items.csv': csv, 'stores.csv': 'store_id,city\n1,Oslo\n2,Rome\n' });
      const stores = { name: 'stores', path: join(folder, 'stores.csv'), indexes: [], key: ['store_id'] };
      const joins = [{ role: 'store', by: 'store_id', table: 'stores' }];
      const items = { name: 'items', path: join(folder, 'items.csv'), indexes: [], joins };
      const { path } = await loadTables(join(folder, 'databases'), 'test', [items, stores]);
      const database = new DatabaseSync(path, { readOnly: true });
      const [table] = describeTables(database, ['items']);
      database.close();
      return table?.notes;
    };
    expect(await joined('item,store_id\nBoots,1\nParka,\n')).toEqual([]);
    expect(await joined('item,store_id\nBoots,1\nParka,9\nTee,2\n')).toEqual([
      { column: 'store_id', text: '1 of 3 values of store_id is not in stores.csv (first on line 3 of items.csv).' },
    ]);
    await expect(joined('item,store_id\nBoots,7\n')).rejects.toThrow(
      'items.csv: no value of store_id is a store_id of stores.csv; check the join',
    );
  });

  it('leaves no database behind when a file is refused', async () => {
    const { folder, file } = await load('a,b\n1,2\n');
    const before = readdirSync(join(folder, 'databases'));
    writeFileSync(file.path, 'a,b\n1,2\n1,2,3\n');
    await expect(loadTables(join(folder, 'databases'), 'test', [file])).rejects.toThrow('items.csv:3: the row has 3');
    expect(readdirSync(join(folder, 'databases'))).toEqual(before);
  });
});
