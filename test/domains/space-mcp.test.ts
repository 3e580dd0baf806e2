import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { McpSource } from '../../src/mcp/supervise/supervisor.ts';
import { folderWith, ITEMS } from '../../src/space/space-fixture.ts';
import { COMMAND } from '../command.ts';
import { callTool, listTools, openScript } from '../fixtures/mcp-servers/open.ts';

const SPACE = `name: shop
title: a shop
description: items
tables:
  items: { file: items.csv, key: item, label: item }
measures:
  units: { sum: items.units, unit: units }
`;

describe('holodeck mcp space', () => {
  let source: McpSource;
  const query = (text: string) => callTool(source, 'query_space_shop', { query: text });
  beforeAll(() => {
    const folder = folderWith({ 'shop.yaml': SPACE, 'items.csv': ITEMS });
    source = openScript([COMMAND, 'mcp', 'space', join(folder, 'shop.yaml'), '--data', join(folder, 'data')]);
  });
  afterAll(() => source.close());

  it('offers its tool to a real client', { timeout: 30_000 }, async () => {
    const offered = async () => (await listTools(source)).map(({ name, readOnly }) => [name, readOnly]);
    // On a busy machine the server may start later than the first list is wanted.
    await expect.poll(offered, { timeout: 20_000 }).toEqual([
      ['query_space_shop', true],
      ['run_query_shop', true],
    ]);
  });

  it('answers a question with its rows', async () => {
    expect(await query('units of Boots by item')).toMatchObject({
      result: {
        answer: 'Boots: 12 units.',
        reading: 'units by item, item Boots',
        columns: [
          { name: 'item', type: 'STRING' },
          { name: 'units', type: 'LONG' },
        ],
        rows: [{ item: 'Boots', units: 12 }],
      },
    });
  });

  it.each([
    'units of Boots"; DROP TABLE items; --',
    "ATTACH DATABASE '/etc/passwd' AS x",
    'PRAGMA table_info(items)',
    "load_extension('x')",
  ])('is not harmed by %j', async (text) => {
    expect(await query(text)).toMatchObject({ error: { error_type: 'ToolInvocationError' } });
    expect(await query('units of Tee')).toMatchObject({ result: { answer: 'Units: 250 units.' } });
  });
});
