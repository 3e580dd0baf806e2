import { describe, expect, it } from 'vitest';
import { buildTool } from '../build.ts';
import { pick } from '../long.ts';
import { call, say } from '../terminal/session.ts';
import { openPages } from './pages.ts';
import { askOnce, fillConversation, servePage } from './scene.ts';

/** Several pages of each list. */
const TURNS = pick(120, 500);
const TOKENS = pick(2_000, 5_000);
const SWITCHES = pick(20, 50);

const pages = openPages();

describe(`a conversation of ${2 * TURNS} messages`, () => {
  it('is read up to its first message, is found by the browser, and is not drawn again at each key (case 51)', {
    timeout: 180_000,
  }, async () => {
    const { url, runtime } = await servePage({ replies: [say('An **answer**.')] });
    const id = await fillConversation(runtime, TURNS);
    const screen = await pages.open(`${url}/?c=${id}`);
    await screen.newest.getByText(`question ${TURNS}`, { exact: true }).waitFor();
    await expect
      .poll(
        async () => {
          await screen.log.evaluate((element) => (element.scrollTop = 0));
          return screen.turns.count();
        },
        { timeout: 90_000 },
      )
      .toBe(TURNS);
    // Find-in-page searches all texts that are not hidden, those that are not drawn yet among them.
    const texts = await screen.turns.evaluateAll((turns) =>
      turns.filter((turn) => turn.checkVisibility()).map((turn) => /question \d+/.exec(turn.textContent)?.[0]),
    );
    expect(texts).toEqual(Array.from({ length: TURNS }, (_, index) => `question ${index + 1}`));
    await screen.page.evaluate(`{
      window.__changes = 0;
      new MutationObserver((list) => (window.__changes += list.length))
        .observe(document.querySelector('.log'), { childList: true, subtree: true, characterData: true, attributes: true });
    }`);
    await screen.composer.pressSequentially('twenty keys are typed');
    expect(await screen.composer.inputValue()).toBe('twenty keys are typed');
    expect(await screen.page.evaluate(`window.__changes`)).toBe(0);
  });
});

describe(`an answer of ${TOKENS} tokens`, () => {
  it('arrives whole, and what is complete is not drawn again (case 52)', { timeout: 120_000 }, async () => {
    const tokens = Array.from({ length: TOKENS }, (_, index) => (index % 10 === 9 ? `w${index}\n\n` : `w${index} `));
    const { promise, resolve } = Promise.withResolvers<void>();
    const replies = [say(...tokens.slice(0, 1_000), promise, ...tokens.slice(1_000))];
    const { url, stored } = await servePage({ replies });
    const screen = await pages.open(url);
    await screen.ask('write a lot');
    await screen.untilAnswer('w999');
    await screen.page.evaluate(`{
      const paragraphs = [...document.querySelectorAll('.markdown p')];
      window.__kept = paragraphs.slice(0, 90);
      window.__draws = 0;
      new MutationObserver(() => window.__draws++)
        .observe(document.querySelector('.markdown'), { childList: true, subtree: true, characterData: true });
    }`);
    resolve();
    await screen.until('completed');
    const words = (await screen.answer.innerText()).split(/\s+/);
    expect(words).toEqual(tokens.map((token) => token.trim()));
    expect((await stored(screen.conversationId())).messages[1]).toBe(`assistant: ${tokens.join('')}`);
    expect(
      await screen.page.evaluate(
        `__kept.every((element, index) => element === document.querySelectorAll('.markdown p')[index])`,
      ),
    ).toBe(true);
    expect(await screen.page.evaluate<number>(`__draws`)).toBeLessThan(TOKENS / 10);
  });
});

describe(`${TURNS} conversations`, () => {
  it('are listed by pages, and one request finds one of them by its words (case 53)', {
    timeout: 120_000,
  }, async () => {
    const { url, runtime } = await servePage({ replies: [say('Yes.')] });
    for (let index = 1; index <= TURNS; index++) await askOnce(runtime, `subject number ${index}`);
    const screen = await pages.open(url);
    const { page } = screen;
    const items = page.locator('.list .item');
    await items.first().waitFor();
    const first = await items.count();
    expect(first).toBeLessThan(TURNS);
    await page.getByRole('button', { name: 'Show older conversations' }).click();
    await expect.poll(() => items.count()).toBeGreaterThan(first);
    const searches: string[] = [];
    page.on('request', (request) => void (request.url().includes('q=') && searches.push(request.url())));
    await page.getByRole('searchbox').fill('number 17');
    await expect.poll(() => items.count()).toBeLessThan(12);
    expect((await items.allInnerTexts()).filter((text) => text.includes('subject number 17'))).not.toEqual([]);
    expect(searches).toHaveLength(1);
  });
});

describe('a tool result of 200 kB', () => {
  it('is folded until somebody asks for all of it (case 54)', async () => {
    const text = 'line of a long result\n'.repeat(10_000);
    const tool = buildTool({ name: 'long', run: () => text });
    const { url } = await servePage({ replies: [call(['long', { text: 'x' }]), say('Done.')], tools: [tool] });
    const screen = await pages.open(url);
    await screen.chat('go');
    const body = screen.newest.locator('.card');
    const shown = async () => ((await body.first().textContent()) ?? '').length;
    expect(await shown()).toBeLessThan(500);
    await body.getByRole('button').first().click();
    await body.getByText('line of a long result').first().waitFor();
    expect(await shown()).toBeLessThan(6_000);
    await body.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(shown).toBeGreaterThan(10_000);
  });
});

describe(`${SWITCHES} switches between conversations`, () => {
  it('leave no streams open, and neither elements nor listeners behind (case 55)', { timeout: 120_000 }, async () => {
    const { url, runtime } = await servePage({ replies: [say('Yes.')] });
    for (const subject of ['apples', 'pears']) await askOnce(runtime, subject);
    const screen = await pages.open(url);
    const { page } = screen;
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    let streams = 0;
    const isStream = (address: string) => address.includes('/events?format=ag-ui');
    page.on('request', (request) => void (isStream(request.url()) && streams++));
    page.on('requestfailed', (request) => void (isStream(request.url()) && streams--));
    page.on('requestfinished', (request) => void (isStream(request.url()) && streams--));
    const change = async (times: number) => {
      for (let index = 0; index < times; index++) {
        const subject = index % 2 === 0 ? 'apples' : 'pears';
        await page.locator('.list .item').getByText(subject, { exact: true }).click();
        await screen.newest.locator('.question').getByText(subject, { exact: true }).waitFor();
      }
      await session.send('HeapProfiler.collectGarbage');
      const { metrics } = await session.send('Performance.getMetrics');
      const metric = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? 0;
      return { nodes: metric('Nodes'), listeners: metric('JSEventListeners'), bytes: metric('JSHeapUsedSize') };
    };
    const early = await change(10);
    const late = await change(SWITCHES);
    expect(late.nodes / early.nodes).toBeLessThan(1.2);
    expect(late.listeners / early.listeners).toBeLessThan(1.2);
    expect(late.bytes / early.bytes).toBeLessThan(1.25);
    await expect.poll(() => streams).toBe(1);
  });
});
