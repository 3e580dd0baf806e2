import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { McpSource } from '../../src/mcp/supervise/supervisor.ts';
import { folderWith, ITEMS } from '../../src/space/space-fixture.ts';
import { callTool, listTools, openScript } from '../fixtures/mcp-servers/open.ts';

const ROOT = join(import.meta.dirname, '../..');
const SPACE = `name: shop
title: a shop
description: items
limits: { timeout_seconds: 5 }
tables:
  items: { file: items.csv }
questions:
  - question: How many units of Boots are there?
    sql: SELECT item, units FROM items WHERE item = 'Boots'
    answer: "{item}: {units} units."
  - question: How many units of Tee are there?
    sql: SELECT item, units FROM items WHERE item = 'Tee'
    answer: "{item}: {units} units."
  - question: Count forever without an end
    sql: WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT count(*) AS n FROM n
    answer: "{n}"
`;

describe('holodeck mcp space', () => {
  let source: McpSource;
  const query = (text: string) => callTool(source, 'query_space_shop', { query: text });
  beforeAll(() => {
    const folder = folderWith({ 'shop.yaml': SPACE, 'items.csv': ITEMS });
    source = openScript([
      join(ROOT, 'src/cli/main.ts'),
      'mcp',
      'space',
      join(folder, 'shop.yaml'),
      '--data',
      join(folder, 'data'),
    ]);
  });
  afterAll(() => source.close());

  it('offers its tool to a real client', { timeout: 30_000 }, async () => {
    const offered = async () => (await listTools(source)).map(({ name, readOnly }) => [name, readOnly]);
    // On a busy machine the server may start later than the first list is wanted.
    await expect.poll(offered, { timeout: 20_000 }).toEqual([['query_space_shop', true]]);
  });

  it('answers a trusted question with its rows', async () => {
    expect(await query('How many units of Boots are there?')).toMatchObject({
      result: {
        answer: 'Boots: 12 units.',
        question: 'How many units of Boots are there?',
        columns: [
          { name: 'item', type: 'STRING' },
          { name: 'units', type: 'LONG' },
        ],
        rows: [{ item: 'Boots', units: 12 }],
      },
    });
  });

  it('ends a slow question at its deadline', async () => {
    expect(await query('Count forever without an end')).toMatchObject({
      error: { message: expect.stringContaining('The query took too long and was stopped.') },
    });
  });

  it.each([
    'units of Boots"; DROP TABLE items; --',
    "ATTACH DATABASE '/etc/passwd' AS x",
    'PRAGMA table_info(items)',
    "load_extension('x')",
  ])('is not harmed by %j', async (text) => {
    expect(await query(text)).toMatchObject({ error: { error_type: 'ToolInvocationError' } });
    expect(await query('How many units of Tee are there?')).toMatchObject({ result: { answer: 'Tee: 250 units.' } });
  });
});
