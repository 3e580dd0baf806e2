import { describe, expect, it } from 'vitest';
import { buildTool } from '../../../test/build.ts';
import { createFakeClock } from '../../clock.ts';
import { Domain } from '../../schema/domain.ts';
import { createRegistry } from '../decide/registry.ts';
import { describeMissing, toDomainTools } from './domain-tools.ts';

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
