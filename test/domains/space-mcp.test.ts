import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { McpSource } from '../../src/mcp/supervise/supervisor.ts';
import type { JsonObject } from '../../src/schema/json.ts';
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

  it('offers the pair of tools to a real client', { timeout: 30_000 }, async () => {
    const offered = async () => (await listTools(source)).map(({ name, readOnly }) => [name, readOnly]);
    // On a busy machine the server may start later than the first list is wanted.
    await expect.poll(offered, { timeout: 20_000 }).toEqual([
      ['query_space_shop', true],
      ['poll_response_shop', true],
    ]);
  });

  it('answers a trusted question in the shape of Genie', async () => {
    expect(await query('How many units of Boots are there?')).toMatchObject({
      result: {
        status: 'COMPLETED',
        conversationId: expect.any(String),
        messageId: expect.any(String),
        content: {
          textAttachments: ['Boots: 12 units.'],
          queryAttachments: [
            {
              description: 'How many units of Boots are there?',
              statement_response: {
                manifest: {
                  schema: {
                    columns: [
                      { name: 'item', type_name: 'STRING' },
                      { name: 'units', type_name: 'LONG' },
                    ],
                  },
                },
                result: { data_array: [['Boots', 12]] },
              },
            },
          ],
        },
      },
    });
  });

  it('reports a slow question as running, and ends it at its deadline', async () => {
    const first = await query('Count forever without an end');
    expect(first).toMatchObject({ result: { status: 'EXECUTING_QUERY' } });
    const { conversationId, messageId } = (first as { result: JsonObject }).result;
    const later = await callTool(source, 'poll_response_shop', {
      conversation_id: String(conversationId),
      message_id: String(messageId),
    });
    expect(later).toMatchObject({
      result: { status: 'FAILED', error: { message: 'The query took too long and was stopped.' } },
    });
  });

  it.each([
    'units of Boots"; DROP TABLE items; --',
    "ATTACH DATABASE '/etc/passwd' AS x",
    'PRAGMA table_info(items)',
    "load_extension('x')",
  ])('is not harmed by %j', async (text) => {
    expect(await query(text)).toMatchObject({ result: { status: expect.stringMatching(/COMPLETED|FAILED/) } });
    expect(await query('How many units of Tee are there?')).toMatchObject({
      result: { content: { textAttachments: ['Tee: 250 units.'] } },
    });
  });

  it('does not know a question that was never asked', async () => {
    expect(await callTool(source, 'poll_response_shop', { conversation_id: 'a', message_id: 'b' })).toMatchObject({
      error: { error_type: 'ValidationError' },
    });
  });
});
