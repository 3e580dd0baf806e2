import { describe, expect, it } from 'vitest';
import { buildTool } from '../build.ts';
import { openServer, readAnswer } from './server.ts';

const domain = (name: string, parts: object = {}) => ({
  name,
  display_name: name.toUpperCase(),
  description: `All about ${name}`,
  mcp_tools: [`ask_${name}`],
  ...parts,
});
const ask = (name: string, parts: object = {}) => buildTool({ name: `ask_${name}`, ...parts });
const callsOf = (...names: string[]) => ({ calls: names.map((name) => ({ name: `ask_${name}`, arguments: {} })) });

describe('GET /agent/{name}/domains', () => {
  it('lists the domains that can be asked, and why one cannot', async () => {
    const agent = { domains: [domain('stock'), domain('sales'), domain('staff', { enabled: false })] };
    const down = {
      name: 'far',
      tools: async () => [],
      status: () => ({ state: 'unavailable' as const, detail: 'it does not start', tools: [] }),
      close: async () => {},
    };
    const { call } = await openServer({ replies: [], agent, tools: [ask('stock')], sources: [down] });
    const shown = (name: string) => ({
      name,
      display_name: name.toUpperCase(),
      description: `All about ${name}`,
      capabilities: [],
      related_domains: [],
    });
    expect(await (await call('GET /agent/helper/domains')).json()).toEqual({
      domains: [
        { ...shown('stock'), available: true },
        {
          ...shown('sales'),
          available: false,
          reason: 'ask_sales is missing. The tools of far are not available now: it does not start',
        },
      ],
      servers: [
        { name: 'test', state: 'ready' },
        { name: 'far', state: 'unavailable', detail: 'it does not start' },
      ],
    });
  });

  it('is empty for an agent without domains', async () => {
    const { call } = await openServer({ replies: [] });
    expect((await readAnswer(await call('GET /agent/helper/domains'))).domains).toEqual([]);
  });
});

describe('domains_accessed', () => {
  it('are those that gave the conversation data, over all its turns', async () => {
    const agent = { domains: [domain('stock'), domain('sales'), domain('staff')] };
    const refused = { error: { error_type: 'PermissionDenied' as const, message: 'no' } };
    const tools = [ask('stock'), ask('sales'), ask('staff', { outcome: refused })];
    const replies = [callsOf('sales', 'staff'), 'One.', callsOf('stock', 'sales'), 'Two.', 'Three.'];
    const { call } = await openServer({ replies, agent, tools });
    const seen: unknown[] = [];
    let session: object = {};
    for (const message of ['a', 'b', 'c']) {
      const body = { message, ...session };
      const { session_id } = await readAnswer(await call('POST /agent/helper/chat', { body }));
      session = { session_id };
      const { metadata } = (await (await call(`GET /sessions/${session_id}`)).json()) as { metadata: object }; // compared
      seen.push(metadata);
    }
    expect(seen).toEqual([
      { title: 'a', domains_accessed: ['sales'] },
      { title: 'a', domains_accessed: ['sales', 'stock'] },
      { title: 'a', domains_accessed: ['sales', 'stock'] },
    ]);
  });

  it('are not there where no domain was asked', async () => {
    const { call } = await openServer({ replies: [{ calls: [{ name: 'echo' }] }, 'Hi.'] });
    const { session_id } = await readAnswer(await call('POST /agent/helper/chat', { body: { message: 'a' } }));
    expect(await (await call(`GET /sessions/${session_id}`)).json()).toMatchObject({ metadata: { title: 'a' } });
    expect(await (await call('GET /sessions')).text()).not.toContain('domains_accessed');
  });
});
