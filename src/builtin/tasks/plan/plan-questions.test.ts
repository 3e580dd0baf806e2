import { describe, expect, it } from 'vitest';
import { Domain } from '../../../schema/domain.ts';
import type { Tool } from '../../../tools/tool.ts';
import { createBuiltinModel } from '../../builtin-model.ts';
import { openTalk } from '../../talk-fixture.ts';

const domain = (name: string, display_name: string, tool: string) =>
  Domain.parse({ name, display_name, description: display_name, mcp_tools: [tool] });
const DOMAINS = [domain('inventory', 'Inventory', 'query_space_stock'), domain('sales', 'Sales', 'query_space_sales')];
const space = (name: string, description: string, answer: string): Tool => ({
  name,
  description,
  source: 'test',
  inputSchema: {
    type: 'object',
    properties: { query: { type: 'string' }, conversation_id: { type: 'string' } },
    required: ['query'],
  },
  run: async () => ({ result: { answer, sql_query: 'SELECT 1' } }),
});
const STOCK = space('query_space_stock', 'Stock levels and units in the warehouse', '50 units are left.');
const SALES = space('query_space_sales', 'Orders, carts and sales of products', 'Product A sells best.');
const open = (...tools: Tool[]) =>
  openTalk({ model: createBuiltinModel({ agent: { intents: {}, domains: DOMAINS } }), tools });

describe('an agent with domains', () => {
  it('asks the one domain that is offered and says its answer', async () => {
    const said = await open(STOCK).say('how many units are left?');
    expect([said.text, said.calls]).toEqual([
      '50 units are left.',
      [{ name: 'query_space_stock', arguments: { query: 'how many units are left?' } }],
    ]);
  });

  it('asks several at once, each its own part, and names them', async () => {
    const said = await open(STOCK, SALES).say('how many units are in the warehouse, and which orders are in carts?');
    expect([said.text, said.calls.map((call) => call.arguments.query)]).toEqual([
      'Inventory: 50 units are left.\n\nSales: Product A sells best.',
      ['how many units are in the warehouse', 'which orders are in carts?'],
    ]);
  });

  it('says what it knows about when no domain fits', async () => {
    expect((await open().say('who won the game?')).text).toBe(
      "I can't answer that from my data. I can answer questions about Inventory and Sales: what would you like to know there?",
    );
  });
});
