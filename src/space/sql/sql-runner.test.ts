import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ITEMS, openRunner, query } from '../space-fixture.ts';

const CROSS_JOIN = `SELECT count(*) FROM ${Array.from({ length: 10 }, (_, at) => `items t${at}`).join(', ')}`;

const MANY = `item,units\n${Array.from({ length: 300 }, (_, at) => `Item ${at},${at}`).join('\n')}\n`;

describe('createSqlRunner', () => {
  it('makes tables of CSV files, with the types of their values', async () => {
    const { runner } = openRunner();
    expect(await runner.load()).toEqual([
      {
        name: 'items',
        columns: [
          { name: 'item', type: 'text', missing: 0 },
          { name: 'kind', type: 'text', missing: 0 },
          { name: 'units', type: 'integer', missing: 0 },
          { name: 'price', type: 'real', missing: 0 },
          { name: 'zip', type: 'text', missing: 0 },
        ],
        rows: 3,
        notes: [],
      },
    ]);
  });

  it('returns rows by their parameters, and reports when there are more', async () => {
    const { runner } = openRunner();
    const all = await runner.query(
      query('SELECT item, units FROM items WHERE units >= :least', { parameters: { least: 1 } }),
    );
    expect(all).toEqual({
      rows: {
        columns: ['item', 'units'],
        rows: [
          ['Boots', 12],
          ['Tee', 250],
        ],
        isCut: false,
      },
    });
    const cut = await runner.query(query('SELECT item FROM items', { maxRows: 2 }));
    expect(cut).toMatchObject({ rows: { rows: [['Boots'], ['Parka']], isCut: true } });
  });

  it('keeps the database of the same content, and makes another one when a file changes', async () => {
    const { runner, folder } = openRunner();
    const databases = () => readdirSync(join(folder, 'databases'));
    await runner.load();
    const before = databases();
    runner.close();
    await runner.load();
    expect(databases()).toEqual(before);
    writeFileSync(join(folder, 'items.csv'), `${ITEMS}Belt,Bits,1,9,1\n`);
    runner.close();
    expect(await runner.query(query('SELECT count(*) AS n FROM items'))).toMatchObject({ rows: { rows: [[4]] } });
    expect(databases()).toHaveLength(1);
    expect(databases()).not.toEqual(before);
  });

  it.each([
    ['SELECT 1; DROP TABLE items'],
    ['SELECT 1 -- and more\n; DELETE FROM items'],
    ['DROP TABLE items'],
    ['DELETE FROM items'],
    ["INSERT INTO items VALUES ('x','y',1,1,'1')"],
    ['UPDATE items SET units = 0'],
    ['CREATE TABLE more (a)'],
    ["ATTACH DATABASE '/tmp/other.db' AS other"],
    ['PRAGMA table_info(items)'],
    ['PRAGMA writable_schema = ON'],
    ['SELECT * FROM pragma_database_list'],
    ['SELECT sql FROM sqlite_schema'],
    ["SELECT load_extension('/tmp/x.so')"],
    ["SELECT readfile('/etc/passwd')"],
    ["SELECT writefile('/tmp/x', 'y')"],
    ["VACUUM INTO '/tmp/copy.db'"],
    ['WITH x AS (SELECT 1) DELETE FROM items'],
    ['BEGIN'],
    [''],
    ['SELECT 1\0; DROP TABLE items'],
    ['EXPLAIN DROP TABLE items'],
  ])('refuses %j and changes nothing', async (sql) => {
    const { runner, folder } = openRunner();
    await runner.load();
    const [file = ''] = readdirSync(join(folder, 'databases'));
    const bytes = readFileSync(join(folder, 'databases', file));
    expect(await runner.query(query(sql))).toMatchObject({ failure: 'refused' });
    expect(readFileSync(join(folder, 'databases', file))).toEqual(bytes);
  });

  it.each([[CROSS_JOIN], ['WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n']])(
    'kills what does not end in its time, and answers the next question: %j',
    async (sql) => {
      const { runner } = openRunner(MANY);
      await runner.load();
      expect(await runner.query(query(sql, { timeoutMs: 300 }))).toMatchObject({ failure: 'timeout' });
      expect(await runner.query(query('SELECT count(*) AS n FROM items'))).toMatchObject({ rows: { rows: [[300]] } });
    },
  );

  it('ends a query that uses too much memory', async () => {
    const { runner } = openRunner();
    const outcome = await runner.query(query('SELECT length(hex(zeroblob(900000000)))'));
    expect(outcome).toMatchObject({ failure: 'refused' });
  });

  it('kills the query when its caller leaves', async () => {
    const { runner } = openRunner();
    await runner.load();
    const stop = new AbortController();
    const asked = runner.query(
      query('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT count(*) FROM n', {
        signal: stop.signal,
      }),
    );
    stop.abort();
    expect(await asked).toMatchObject({ failure: 'cancelled' });
  });

  it('answers several at once while one is slow', async () => {
    const { runner } = openRunner();
    await runner.load();
    const slow = runner.query(
      query('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT count(*) FROM n', { timeoutMs: 2_000 }),
    );
    const quick = await Promise.all([1, 2, 3, 4, 5].map(() => runner.query(query('SELECT count(*) AS n FROM items'))));
    expect(quick.every((outcome) => 'rows' in outcome)).toBe(true);
    expect(await slow).toMatchObject({ failure: 'timeout' });
  });

  it.each([
    ['', 'is empty'],
    ['a,a\n1,2\n', 'two columns named a'],
    ['a,"?!"\n1,2\n', 'cannot be a column'],
    ['a b,A_B,a_b\n1,2,3\n', 'two columns named a_b'],
  ])('says what is wrong with %j', async (csv, reason) => {
    const { runner } = openRunner(csv);
    expect(await runner.query(query('SELECT 1'))).toMatchObject({
      failure: 'unavailable',
      reason: expect.stringContaining(reason),
    });
  });
});
