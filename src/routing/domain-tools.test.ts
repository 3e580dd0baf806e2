import { describe, expect, it } from 'vitest';
import { ALICE, buildTool } from '../../test/build.ts';
import { createFakeClock } from '../clock.ts';
import { Domain } from '../schema/domain.ts';
import type { Message } from '../schema/message.ts';
import { newUlid } from '../schema/new-ulid.ts';
import { offerTools } from '../tools/offer.ts';
import { describeMissing, toDomainTools, withSpaceConversations } from './domain-tools.ts';
import { createRegistry } from './registry.ts';

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
const place = { timestamp: '2026-01-01T00:00:00.000Z', metadata: {} };
const HISTORY: Message[] = [
  {
    id: newUlid(),
    role: 'assistant',
    content: '',
    tool_calls: [{ id: 'a', name: 'query_space_x', arguments: {} }],
    ...place,
  },
  { id: newUlid(), role: 'tool', tool_call_id: 'a', content: '{"conversation_id":"c7","answer":"…cut', ...place },
];

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
    expect(describeMissing(tools, registry)).toEqual(['sales cannot be asked: poll_response_y is not there.']);
    const offered = toDomainTools(tools, { registry, disabled: new Set(), clock: createFakeClock() });
    expect(offered.map(({ name }) => name)).toEqual(['query_space_x']);
  });
});

describe('withSpaceConversations', () => {
  const registry = createRegistry([domain('stock', 'x')]);
  const tools = offerTools(
    toDomainTools(pair('x'), { registry, disabled: new Set(), clock: createFakeClock() }),
  ).offered;

  it('goes on with the conversation that the space named last', () => {
    const offered = withSpaceConversations(tools, HISTORY).get('query_space_x');
    expect(offered?.definition.inputSchema.properties).toEqual({ query: { type: 'string' } });
    expect(offered?.fill({ query: 'q', conversation_id: 'made up' }, ALICE)).toEqual({
      own: { query: 'q' },
      sent: { query: 'q', conversation_id: 'c7' },
      overridden: ['conversation_id'],
    });
  });

  it('shows no id to the model where there is none, and sends none that it made up', async () => {
    const offered = withSpaceConversations(tools, []).get('query_space_x');
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
  });
});
