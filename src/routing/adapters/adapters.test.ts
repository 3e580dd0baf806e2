import { describe, expect, it } from 'vitest';
import { buildTool } from '../../../test/build.ts';
import { createFakeClock } from '../../clock.ts';
import type { JsonObject } from '../../schema/json.ts';
import type { Tool } from '../../tools/tool.ts';
import { conversationArgumentOf, isHelperName, joinDomainTools } from './adapters.ts';
import { type DomainReply, describeDomainAdapter } from './domain-adapter-contract.ts';
import { genie } from './genie.ts';

describeDomainAdapter({ adapter: genie, open: openGenie });

const IDS = { conversationId: 'c1', messageId: 'm1' };
const inputSchema = { type: 'object', properties: { query: { type: 'string' }, conversation_id: { type: 'string' } } };

function openGenie(reply: DomainReply): Tool[] {
  const running = { ...IDS, status: 'EXECUTING_QUERY' };
  const failed = { ...IDS, status: 'FAILED', error: { message: 'no such column' } };
  const first: JsonObject = { 'answer at once': completed(), 'answer later': running, failure: failed }[reply];
  return [
    buildTool({ name: 'query_space_x', readOnly: true, inputSchema, run: () => first }),
    buildTool({ name: 'poll_response_x', run: () => completed() }),
  ];
}

function completed(): JsonObject {
  const statement_response = {
    manifest: { schema: { columns: [{ name: 'n', type_name: 'LONG' }] } },
    result: { data_array: [['5']] },
  };
  const queryAttachments = [{ query: 'SELECT 5', description: 'How many?', statement_response }];
  return { ...IDS, status: 'COMPLETED', content: { textAttachments: ['Five.'], queryAttachments } };
}

describe('joinDomainTools', () => {
  it('joins the tools of each domain, also behind a prefix, and leaves other tools as they are', () => {
    const clock = createFakeClock();
    const other = buildTool({ name: 'list_orders' });
    const lonely = buildTool({ name: 'query_space_z', inputSchema });
    const prefixed = openGenie('answer at once').map((tool) => ({
      ...tool,
      name: `shop_${tool.name}`,
      serverName: tool.name,
      source: 'shop',
    }));
    const tools = joinDomainTools([...prefixed, other, ...openGenie('answer at once'), lonely], { clock });
    expect(tools.map(({ name }) => name)).toEqual([
      'shop_query_space_x',
      'list_orders',
      'query_space_x',
      'query_space_z',
    ]);
    expect([tools[1], tools[3]]).toEqual([other, lonely]);
    expect(tools.map(conversationArgumentOf)).toEqual([
      'conversation_id',
      undefined,
      'conversation_id',
      'conversation_id',
    ]);
    expect(['shop_poll_response_x', 'query_space_x'].map(isHelperName)).toEqual([true, false]);
  });
});
