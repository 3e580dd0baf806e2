import { describe, expect, it } from 'vitest';
import { formatDuration } from '../../web/parts/format.ts';
import { ALICE, buildTool } from '../build.ts';
import { answered, openDomains } from '../domains/scene.ts';
import { serveRuntime } from '../server/server.ts';
import { call, say } from '../terminal/session.ts';
import { openPages } from './pages.ts';
import { servePage, serveShipped } from './scene.ts';

const pages = openPages();
const BOTH = 'revenue and stock by category';

describe('suggestions', () => {
  it('are buttons below the answer, shown once, and ask their question (case 9)', async () => {
    const { url } = await serveShipped(['retail']);
    const screen = await pages.open(url);
    await screen.chat(BOTH);
    const next = screen.page.getByRole('list', { name: 'Next questions' });
    const [first = '', ...others] = await next.getByRole('button').allInnerTexts();
    expect(others.length).toBeLessThan(3);
    const text = await screen.log.innerText();
    for (const suggestion of [first, ...others]) expect(text.split(suggestion)).toHaveLength(2);
    await next.getByRole('button', { name: first, exact: true }).click();
    await screen.turns.nth(1).waitFor();
    await screen.until('completed');
    expect(await screen.newest.locator('.question p').innerText()).toBe(first);
    expect(await screen.turns.first().locator('.suggestion').count()).toBe(0);
  });
});

describe('a question for two domains', () => {
  it('shows a card for each with the time of the server, and where it was sent (case 11)', async () => {
    const { url, stored } = await serveShipped(['retail']);
    const screen = await pages.open(url);
    await screen.chat(BOTH);
    const chips = screen.page.getByRole('list', { name: 'Sources that were asked' });
    expect((await chips.innerText()).toLowerCase()).toMatch(/customer behavior[\s\S]*inventory/);
    expect(await screen.cards.count()).toBe(2);
    const { calls } = await stored(screen.conversationId());
    for (const { name, duration_ms: ms = 0 } of calls) {
      await screen.cards
        .filter({ hasText: name })
        .filter({ hasText: formatDuration(ms) })
        .waitFor();
    }
  });

  it('shows calls that run at once, each with its own state (case 11)', async () => {
    const gates = { a: Promise.withResolvers<void>(), b: Promise.withResolvers<void>() };
    const tools = (['a', 'b'] as const).map((name) =>
      buildTool({
        name,
        run: async () => {
          await gates[name].promise;
          return name;
        },
      }),
    );
    const { url } = await servePage({ replies: [call(['a', {}], ['b', {}]), say('Both.')], tools });
    const screen = await pages.open(url);
    await screen.ask('both');
    const states = () =>
      screen.cards.evaluateAll((cards) => cards.map((card) => String(card.className).trim().split(' ').at(-1)));
    await expect.poll(states).toEqual(['running', 'running']);
    gates.b.resolve();
    await expect.poll(states).toEqual(['running', 'completed']);
    gates.a.resolve();
    await screen.until('completed');
    expect(await states()).toEqual(['completed', 'completed']);
  });
});

describe('a domain that is down', () => {
  it('leaves the rest of the answer, says what is missing and lowers the confidence (case 12)', async () => {
    const rows = [{ region: 'North', revenue: 1200 }];
    const runtime = await openDomains([
      { name: 'sales', capabilities: ['Orders and revenue'], answer: async () => answered('Revenue is 1,200.', rows) },
      {
        name: 'stock',
        capabilities: ['Stock levels'],
        answer: async () => ({ error: { error_type: 'ToolInvocationError', message: 'it broke' } }),
      },
    ]);
    const { url } = await serveRuntime(runtime, { identify: async () => ALICE });
    const screen = await pages.open(url);
    const answer = await screen.chat('How are revenue and stock?');
    expect(answer).toContain('Revenue is 1,200.');
    expect(await screen.newest.locator('.verdict').innerText()).toContain(
      'Medium confidence · 1 of 2 sources answered',
    );
    await screen.newest.locator('.card.failed').waitFor();
    // The answer gives the reason itself; a box below it would repeat the sentence.
    expect(answer).toMatch(/stock.*it broke/i);
    expect(await screen.newest.locator('.problem').count()).toBe(0);
  });
});
