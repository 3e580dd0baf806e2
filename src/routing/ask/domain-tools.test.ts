import { describe, expect, it } from 'vitest';
import { ALICE, buildTool } from '../../../test/build.ts';
import { createFakeClock } from '../../clock.ts';
import type { ToolCall } from '../../schema/conversation/tool-call.ts';
import { Domain } from '../../schema/domain.ts';
import { offerTools } from '../../tools/offer.ts';
import { createRegistry } from '../decide/registry.ts';
import { describeMissing, toDomainTools } from './domain-tools.ts';
import { spaceConversationOf, withSpaceConversations } from './space-conversations.ts';

const schema = {
  type: 'object',
  properties: { query: { type: 'string' }, conversation_id: { type: 'string' } },
  required: ['query'],
};
const pair = (id: string) => [
  buildTool({ name: `query_space_${id}`, inputSchema: schema }),
  buildTool({ name: `poll_response_${id}` }),
];
const domain = (name: string, id: string, enabled = true) =>
  Domain.parse({
    name,
    display_name: name,
    description: name,
    mcp_tools: [`query_space_${id}`, `poll_response_${id}`],
    enabled,
  });

describe('toDomainTools', () => {
  it('names the domain of each tool and leaves out those of disabled ones', () => {
    const registry = createRegistry([domain('stock', 'x'), domain('old', 'y', false)]);
    const disabled = new Set(['query_space_y', 'poll_response_y']);
    const tools = toDomainTools([...pair('x'), ...pair('y'), buildTool()], {
      registry,
      disabled,
      clock: createFakeClock(),
    });
    expect(tools.map(({ name, domain: of }) => [name, of])).toEqual([
      ['query_space_x', 'stock'],
      ['echo', undefined],
    ]);
  });
});

describe('describeMissing', () => {
  it('names the tools that a domain needs and no server lists', () => {
    const registry = createRegistry([domain('stock', 'x'), domain('sales', 'y')]);
    const tools = [...pair('x'), ...pair('y').slice(0, 1)];
    expect(describeMissing(tools, registry)).toEqual(['sales cannot be asked: poll_response_y is missing.']);
    expect(describeMissing(pair('x'), registry)).toEqual([
      'sales cannot be asked: query_space_y and poll_response_y are missing.',
    ]);
    const offered = toDomainTools(tools, { registry, disabled: new Set(), clock: createFakeClock() });
    expect(offered.map(({ name }) => name)).toEqual(['query_space_x']);
  });
});

const inputSchema = {
  type: 'object',
  properties: { query: { type: 'string' }, conversation_id: { type: 'string' } },
  required: ['query'],
};
const { offered: tools } = offerTools([buildTool({ name: 'query_space_x', domain: 'stock', inputSchema })]);

const call = (parts: Partial<ToolCall>): ToolCall => ({
  id: '1',
  name: 'query_space_x',
  domain: 'stock',
  arguments: {},
  state: 'completed',
  ...parts,
});

describe('spaceConversationOf', () => {
  it.each([
    ['an answer', call({ result: { conversation_id: 'c7', answer: '1' } }), 'c7'],
    ['an answer too large to be data', call({ result: '{"conversation_id":"c7","answer":"…cut' }), 'c7'],
    ['a call that failed', call({ state: 'failed', result: { conversation_id: 'c7' } }), undefined],
    ['a tool of no domain', { ...call({ result: { conversation_id: 'c7' } }), domain: undefined }, undefined],
    ['a tool of a prefix', call({ name: 'shop_query_space_x', result: { conversation_id: 'c7' } }), 'c7'],
    ['an id of no use', call({ result: { conversation_id: 'x'.repeat(201) } }), undefined],
  ])('reads the id of %s', (_, made, id) => {
    expect(spaceConversationOf(made as ToolCall)).toBe(id); // an entry lacks its domain on purpose
  });
});

describe('withSpaceConversations', () => {
  it('continues the conversation of the space that ours stores', () => {
    const offered = withSpaceConversations(tools, { spaces: { query_space_x: 'c7' } }).get('query_space_x');
    expect(offered?.definition.inputSchema.properties).toEqual({ query: { type: 'string' } });
    expect(offered?.fill({ query: 'q', conversation_id: 'made up' }, ALICE)).toEqual({
      own: { query: 'q' },
      sent: { query: 'q', conversation_id: 'c7' },
      overridden: ['conversation_id'],
    });
  });

  it.each([{}, { spaces: 'c7' }, { spaces: { query_space_y: 'c7' } }, { spaces: { query_space_x: 7 } }])(
    'shows no id to the model where %j is remembered, and sends none that it made up',
    async (memory) => {
      const offered = withSpaceConversations(tools, memory).get('query_space_x');
      expect(offered?.definition.inputSchema.properties).toEqual({ query: { type: 'string' } });
      const signal = new AbortController().signal;
      const context = {
        user: ALICE,
        conversationId: 'k',
        callId: '1',
        signal,
        progress: () => {},
        ask: async () => null,
      };
      expect(await offered?.tool.run({ query: 'q', conversation_id: 'made up' }, context)).toEqual({
        result: { query: 'q' },
      });
    },
  );
});
