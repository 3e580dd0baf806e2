import { describe, expect, it } from 'vitest';
import { createScriptedModel } from '../../src/models/scripted.ts';
import type { ToolOutcome } from '../../src/tools/tool.ts';
import { ALICE } from '../build.ts';
import { answered, ask, type DomainScene, openDomains } from './scene.ts';

const failed =
  (message: string): (() => Promise<ToolOutcome>) =>
  async () => ({
    error: { error_type: 'ToolInvocationError', message },
  });
const never = () => new Promise<ToolOutcome>(() => {});
const sales: DomainScene = {
  name: 'sales',
  capabilities: ['Orders and revenue'],
  answer: async () => answered('Revenue is 1,200 dollars.', [{ region: 'North', revenue: 1200 }]),
};
const ALL = 'Compare revenue, stock, complaints and deliveries';
const scene = (name: string, capability: string, answer?: DomainScene['answer']): DomainScene => ({
  name,
  capabilities: [capability],
  ...(answer && { answer }),
});

describe('domains that do not answer', () => {
  it('leave an answer from the rest, with the right sentence about each', async () => {
    const runtime = await openDomains(
      [
        sales,
        scene('stock', 'Stock levels', never),
        scene('feedback', 'Complaints', failed('HTTP 403')),
        scene('logistics', 'Deliveries'),
      ],
      { loop: { tool_timeout_seconds: 0.3 } },
    );
    const { result } = await ask(runtime, ALL);
    expect(result).toMatchObject({
      status: 'completed',
      partial_results: true,
      confidence: 'low',
      sources: ['sales.sales_space'],
    });
    expect(result.content).toContain('From Sales: Revenue is 1,200 dollars.');
    expect(result.content).toContain('Stock did not answer in time, so it is missing from this answer.');
    expect(result.content).toContain('You do not have permission to see Feedback, so it is missing from this answer.');
    expect(result.content).toContain('Logistics cannot be reached right now, so it is missing from this answer.');
    expect(result.error_details?.map(({ domain }) => domain).toSorted()).toEqual(['feedback', 'logistics', 'stock']);
    expect(result.tool_calls.map(({ domain, state }) => [domain, state]).toSorted()).toEqual([
      ['feedback', 'failed'],
      ['sales', 'completed'],
      ['stock', 'timeout'],
    ]);
    const audit = await runtime.readAudit(ALICE, { limit: 10 });
    expect(audit.find(({ tool }) => tool === 'query_space_feedback')?.outcome).toBe('failed: PermissionDenied');
  });

  it('lower the confidence by one gap', async () => {
    const runtime = await openDomains([sales, scene('stock', 'Stock levels', failed('it broke'))]);
    const { result } = await ask(runtime, 'How are revenue and stock?');
    expect(result).toMatchObject({ confidence: 'medium', partial_results: true });
    expect(result.content).toContain('Stock could not answer: it broke.');
  });

  it('report that none answers, and suggest nothing', async () => {
    const runtime = await openDomains([scene('stock', 'Stock levels', failed('it broke'))]);
    const { result } = await ask(runtime, 'How is stock?');
    expect(result).toMatchObject({ sources: [], suggestions: [], confidence: 'low', partial_results: true });
  });
});

describe('domains of one question', () => {
  it('are asked at the same time', async () => {
    let running = 0;
    let most = 0;
    const slow = (name: string, capability: string) =>
      scene(name, capability, async () => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setTimeout(resolve, 50));
        running--;
        return answered(`${name} answered.`);
      });
    const runtime = await openDomains([
      slow('sales', 'Revenue'),
      slow('stock', 'Stock'),
      slow('feedback', 'Complaints'),
      slow('logistics', 'Deliveries'),
    ]);
    const { result } = await ask(runtime, ALL);
    expect(result.iterations).toBe(2);
    expect(most).toBe(4);
  });

  it('are those that are enabled; a disabled one is neither asked nor offered nor suggested', async () => {
    const domains = [
      {
        name: 'sales',
        display_name: 'Sales',
        description: 'Revenue',
        capabilities: ['Revenue'],
        mcp_tools: ['query_space_sales', 'poll_response_sales'],
        related_domains: ['stock'],
      },
      {
        name: 'stock',
        display_name: 'Stock',
        description: 'Stock',
        mcp_tools: ['query_space_stock', 'poll_response_stock'],
        enabled: false,
      },
    ];
    const runtime = await openDomains([sales, scene('stock', 'Stock', async () => answered('no'))], { domains });
    const { result } = await ask(runtime, 'How are revenue and stock?');
    expect(result).toMatchObject({ sources: ['sales.sales_space'], suggestions: [] });
    const { offered } = await runtime.listTools(ALICE, 'helper', { signal: AbortSignal.timeout(5_000) });
    expect([...offered.keys()]).toEqual(['query_space_sales']);
  });
});

describe('a question about what the last answer found', () => {
  const open = async (products: string[]) => {
    const asked: string[] = [];
    const rows = products.map((product, at) => ({ product, orders: 90 - at }));
    const runtime = await openDomains([
      scene('sales', 'Best selling products and orders', async () => answered('These sell best.', rows)),
      scene('stock', 'Stock levels and units on hand', async ({ query }) => {
        asked.push(String(query));
        return answered('There is enough.', [{ product: products[0] ?? '', units: 50 }]);
      }),
    ]);
    const { conversationId } = await ask(runtime, 'Which products have the most orders?');
    return { asked, next: (text: string) => ask(runtime, text, conversationId) };
  };

  it('names it to the next space, which has not seen that answer', async () => {
    const products = Array.from({ length: 12 }, (_, at) => `Aspen Boots ${at + 1}`);
    const { asked, next } = await open(products);
    await next('And what is their stock?');
    expect(asked).toEqual([`And what is their stock? (${products.join(', ')})`]);
  });

  it('names one thing for "its", and nothing where the question does not refer to it', async () => {
    const { asked, next } = await open(['Aspen Boots']);
    await next('What is its stock?');
    await next('How is stock?');
    expect(asked).toEqual(['What is its stock? (Aspen Boots)', 'How is stock?']);
  });
});

describe('a model that chooses by itself', () => {
  const play = (text: string) =>
    openDomains(
      [sales, scene('stock', 'Stock levels', async () => answered('Fine.', [{ units: 50 }]))],
      {},
      createScriptedModel([{ calls: [{ name: 'query_space_sales', arguments: { query: 'revenue?' } }] }, text]),
    );

  it('is recorded, and checked against the registry', async () => {
    const { result, events } = await ask(await play('Revenue is $1,200.'), 'How is revenue?');
    expect(result.routing).toMatchObject({
      identified_domains: ['sales'],
      ambiguity_detected: false,
      out_of_scope: false,
    });
    expect(result.routing?.reasoning).toContain(
      "The model asked sales (query_space_sales); the registry agrees: 'revenue' matches sales",
    );
    expect(result).toMatchObject({ sources: ['sales.sales_space'], confidence: 'high' });
    const kinds = events.map(({ type }) => type);
    expect(kinds.indexOf('routing')).toBeLessThan(kinds.indexOf('tool-call-run'));
  });

  it('is marked where it states a figure that no tool returned', async () => {
    const { result } = await ask(await play('Revenue is $1,300 in the North.'), 'How is revenue?');
    expect(result.checks).toEqual([{ text: '$1,300', start: 11, end: 17, found: false }]);
    expect(result.confidence).toBe('medium');
  });

  it('hides no figure behind the name of another question', async () => {
    for (const name of ['undefined', 'What is our revenue?']) {
      const { result } = await ask(await play(`Revenue is $1,300. This answers: ${name}`), 'How is revenue?');
      expect(result.checks).toMatchObject([{ text: '$1,300', found: false }]);
      expect(result.confidence).toBe('medium');
    }
  });

  it('that differs from the registry is recorded with the alternative', async () => {
    const { result } = await ask(await play('All is well.'), 'How is stock?');
    expect(result.routing).toMatchObject({ identified_domains: ['sales'], ambiguity_detected: true });
    expect(result.routing?.reasoning).toContain('by the words of the registry it would be stock');
  });

  it('is reported where its list leaves out rows without saying so', async () => {
    const months = Array.from({ length: 12 }, (_, at) => ({ month: `Month ${at + 1}`, revenue: 100 + at }));
    const list = months.map(({ month, revenue }) => `- ${month}: ${revenue}`);
    const answer = async (text: string) => {
      const model = createScriptedModel([
        { calls: [{ name: 'query_space_sales', arguments: { query: 'revenue?' } }] },
        text,
      ]);
      const scenes = [scene('sales', 'Revenue', async () => answered('By month.', months))];
      return (await ask(await openDomains(scenes, {}, model), 'How is revenue?')).result;
    };
    const cut = await answer(`Revenue by month:\n${list.slice(0, 10).join('\n')}`);
    expect(cut).toMatchObject({ confidence: 'medium', error_details: [{ reason: 'The answer lists 10 of 12 rows.' }] });
    for (const text of [list.join('\n'), `The first ones:\n${list.slice(0, 3).join('\n')}`])
      expect((await answer(text)).confidence).toBe('high');
  });

  it('that asks no domain has declined', async () => {
    const model = createScriptedModel(['I only know data.']);
    const { result } = await ask(await openDomains([sales], {}, model), 'Tell me a joke');
    expect(result.routing).toMatchObject({ identified_domains: [], out_of_scope: true });
    expect(result.suggestions).toEqual([]);
  });
});

describe('a domain whose tools are not there', () => {
  const carts: DomainScene = { name: 'carts', capabilities: ['Cart abandonment'] };

  it('is neither offered nor suggested, and explained when it is asked for', async () => {
    const topics = ['Orders and revenue', 'Returns', 'Discounts', 'Taxes', 'Refunds', 'Vouchers'];
    const runtime = await openDomains([{ ...sales, capabilities: topics }, carts]);
    const declined = await ask(runtime, 'Tell me a joke about penguins');
    expect(declined.result.content).toMatch(/- Sales: Orders and revenue; Returns; Discounts; Taxes; Refunds$/);
    expect(declined.result.content).not.toContain('Carts');
    const answer = await ask(runtime, 'How is revenue?');
    expect(answer.result.suggestions.join()).not.toContain('Carts');
    const asked = await ask(runtime, 'What is our cart abandonment?');
    expect(asked.result).toMatchObject({ error_details: [{ domain: 'carts' }], sources: [] });
    const agent = runtime.agents[0]?.name ?? '';
    const domains = await runtime.listDomains(ALICE, agent, { signal: new AbortController().signal });
    expect(domains.map(({ domain, reason }) => [domain.name, reason !== undefined])).toEqual([
      ['sales', false],
      ['carts', true],
    ]);
  });

  it('leaves nothing to offer where it is the only one', async () => {
    const { result } = await ask(await openDomains([carts]), 'Tell me a joke about penguins');
    expect(result.content).toBe('None of my data can be reached right now. Please ask again later.');
  });
});
