import { describe, expect, it } from 'vitest';
import type { NumberCheck } from '../../src/schema/conversation/turn.ts';
import { buildTool } from '../build.ts';
import { call, say } from '../terminal/session.ts';
import { openPages, type Screen } from './pages.ts';
import { servePage, serveShipped } from './scene.ts';

const QUESTION = 'top 5 products by abandonment rate';

const pages = openPages();

/** The checks of a conversation's newest answer, as the server stores them. */
async function readChecks(url: string, screen: Screen): Promise<NumberCheck[]> {
  const response = await fetch(`${url}/sessions/${screen.conversationId()}/turns`);
  const { turns } = (await response.json()) as { turns: { result?: { checks?: NumberCheck[] } }[] };
  return turns.at(-1)?.result?.checks ?? turns[0]?.result?.checks ?? [];
}

describe('a figure', () => {
  it('opens its row with its cell in view, each one that was found (case 25)', async () => {
    const { url } = await serveShipped(['retail']);
    const screen = await pages.open(url);
    await screen.chat(QUESTION);
    const checks = (await readChecks(url, screen)).filter(({ found }) => found);
    const figures = screen.newest.locator('.figure:not(.missing)');
    expect(await figures.count()).toBe(checks.length);
    expect(checks.length).toBeGreaterThan(10);
    const panel = screen.page.getByRole('complementary', { name: 'Details' });
    for (const [index, { text, row = 0 }] of checks.entries()) {
      await figures.nth(index).click();
      await panel.locator('.big-figure').getByText(text, { exact: true }).waitFor();
      const cell = panel.locator('.marked-cell');
      const table = panel.locator('.data-table');
      const seen = await cell.evaluate((element) => {
        const { top, left, bottom, right } = element.getBoundingClientRect();
        const frame = element.closest('.data-table').getBoundingClientRect();
        return top >= frame.top - 1 && left >= frame.left - 1 && bottom <= frame.bottom + 1 && right <= frame.right + 1;
      });
      const place = await table.evaluate((element) =>
        [...element.querySelectorAll('tbody tr')].findIndex((line) => line.querySelector('.marked-cell')),
      );
      const cutHeads = await table.evaluate((element) => {
        const [first, ...heads] = [...element.querySelectorAll('th')].map((head) => head.getBoundingClientRect());
        return heads.filter(({ left, right }) => left < first.right - 2 && right > first.right + 2).length;
      });
      expect([text, seen, place, cutHeads]).toEqual([text, true, row, 0]);
    }
    expect(await panel.locator('pre').last().innerText()).toMatch(/SELECT/i);
  });

  it('that is in no result is marked and says so (case 26)', async () => {
    const { url } = await serveShipped(['retail'], {
      replies: [call(['query_space_stock', { question: QUESTION }]), say('Exactly 31,337 carts were abandoned.')],
    });
    const screen = await pages.open(url);
    await screen.chat('which products are left in carts?');
    const missing = screen.newest.locator('.figure.missing');
    expect(await missing.allInnerTexts()).toEqual(['31,337']);
    expect(await missing.getAttribute('aria-label')).toBe('31,337, not found in the data');
    await missing.click();
    await screen.page.getByText('This figure was not found in any result.').waitFor();
    expect(await screen.newest.locator('.verdict').innerText()).toContain('Low confidence');
  });

  it('has an address that opens the same panel in a new tab (case 27)', async () => {
    const { url } = await serveShipped(['retail']);
    const screen = await pages.open(url);
    await screen.chat(QUESTION);
    await screen.newest.locator('.figure').nth(3).click();
    const shown = (of: Screen) => of.page.locator('.row-panel').innerText();
    await screen.page.locator('.row-panel .marked-cell').waitFor();
    const tab = await pages.open(screen.page.url());
    await tab.page.locator('.row-panel .marked-cell').waitFor();
    expect(await shown(tab)).toBe(await shown(screen));
    expect(await tab.newest.locator('.figure[aria-pressed=true]').count()).toBe(1);
  });

  it('of an older answer still opens its row after a refresh, and the answer keeps its footnotes (case 30)', async () => {
    const { url } = await serveShipped(['retail']);
    const screen = await pages.open(url);
    await screen.chat(QUESTION);
    await screen.chat('what do customers say about quality?');
    const first = screen.turns.first();
    const footnotes = async () => ({
      figures: await first.locator('.figure').allInnerTexts(),
      verdict: await first.locator('.verdict').innerText(),
      chips: await first.locator('.routing .chip').allInnerTexts(),
      cards: await first.locator('.card-name').allInnerTexts(),
      facts: await first.locator('.facts').first().innerText(),
    });
    const before = await footnotes();
    expect(before.figures.length).toBeGreaterThan(10);
    await screen.reload();
    await first.locator('.figure').first().waitFor();
    expect(await footnotes()).toEqual(before);
    await first.locator('.figure').first().click();
    await screen.page.locator('.row-panel .marked-cell').waitFor();
  });
});

/** Seconds and milliseconds as the page writes them. */
function milliseconds(text: string): number {
  const [, amount = '0', unit = 'ms'] = /([\d.,]+)\s*(ms|s)\b/.exec(text) ?? [];
  return Number(amount.replaceAll(',', '')) * (unit === 's' ? 1000 : 1);
}

describe('the trace', () => {
  it('adds up to the time of the turn (case 28)', async () => {
    const tool = buildTool({ name: 'look', run: () => new Promise((resolve) => setTimeout(resolve, 400, 'clear')) });
    const replies = [call(['look', { text: 'x' }]), say('It is clear.')];
    const { url, call: request } = await servePage({ replies, tools: [tool] });
    const screen = await pages.open(url);
    await screen.chat('look');
    await screen.newest.getByRole('button', { name: 'Trace' }).click();
    const panel = screen.page.locator('.trace-panel');
    await panel.locator('.waterfall li').nth(2).waitFor();
    const times = (await panel.locator('.span-time').allInnerTexts()).map(milliseconds);
    const labels = await panel.locator('.span-label').allInnerTexts();
    expect(labels).toEqual(['Model, step 1', 'look', 'Model, step 2']);
    expect(times[1]).toBeGreaterThanOrEqual(390);
    const turns = (await (await request(`GET /sessions/${screen.conversationId()}/turns`)).json()) as {
      turns: { started_at: string; ended_at: string }[];
    };
    const [turn] = turns.turns;
    const whole = Date.parse(turn?.ended_at ?? '') - Date.parse(turn?.started_at ?? '');
    const total = milliseconds(await panel.locator('.facts dd').first().innerText());
    // The panel rounds to tenths of a second.
    expect(Math.abs(total - whole)).toBeLessThanOrEqual(Math.max(whole * 0.05, 50));
    const sum = times.reduce((left, right) => left + right, 0);
    expect(sum).toBeLessThanOrEqual(whole * 1.05 + times.length * 50);
    const bars = await panel
      .locator('.span-bar')
      .evaluateAll((found) => found.map((bar) => [Number(bar.getAttribute('x')), Number(bar.getAttribute('width'))]));
    for (const [x = 0, width = 0] of bars) expect(x + width).toBeLessThanOrEqual(1000);
  });

  it('shows developers the prompt that the model received (case 29)', async () => {
    const replies = [call(['echo', { text: 'ping' }]), say('Done.')];
    const { url, model } = await servePage({ replies, tools: [buildTool()] });
    const screen = await pages.open(url);
    await screen.chat('send a ping');
    await screen.newest.getByRole('button', { name: 'Trace' }).click();
    const panel = screen.page.locator('.trace-panel');
    await panel.locator('.span.model').nth(1).click();
    const shown = panel.locator('.prompt-message');
    await shown.nth(3).waitFor();
    const { messages } = (model.requests[1]?.body ?? { messages: [] }) as {
      messages: { role: string; content: string | null }[];
    };
    expect(await shown.locator('h4').allInnerTexts()).toEqual(messages.map(({ role }) => role));
    const texts = await shown.locator('pre').allTextContents();
    for (const [index, { content }] of messages.entries()) if (content) expect(texts[index]).toBe(content);
  });
});

describe('a chart', () => {
  it('has the values of the rows that it was drawn from, as a picture and as a table (case 31)', async () => {
    const { url } = await serveShipped(['retail']);
    const screen = await pages.open(url);
    await screen.chat(QUESTION);
    const chart = screen.newest.locator('.chart').first();
    await chart.locator('.bar-text').first().waitFor();
    const texts = await chart.locator('.bar-text').allInnerTexts();
    const widths = await chart
      .locator('rect.bar-value')
      .evaluateAll((bars) => bars.map((bar) => bar.getAttribute('width')));
    expect(texts.length).toBeGreaterThan(1);
    const numbers = (list: readonly string[]) => list.map((text) => Number.parseFloat(text.replaceAll(',', '')));
    const [first = 0, ...ticks] = numbers(await chart.locator('.bar-axis text').allTextContents());
    expect(first).toBe(0);
    for (const [index, value] of numbers(texts).entries())
      expect(Number.parseFloat(widths[index] ?? '') / 100).toBeCloseTo(value / (ticks.at(-1) ?? 0), 2);
    const label = (await chart.locator('[role=img]').getAttribute('aria-label')) ?? '';
    for (const text of texts) expect(label).toContain(text);
    await chart.getByRole('button', { name: 'As table' }).click();
    const cells = await chart.locator('td').allInnerTexts();
    expect(texts.filter((text) => !cells.includes(text))).toEqual([]);
    await chart.getByRole('button', { name: 'As chart' }).click();
    expect(await chart.locator('.bar-text').allInnerTexts()).toEqual(texts);
  });

  it('is a line with a point for each month, part of a long list, and a table of figures of several sources', async () => {
    const { url } = await serveShipped(['retail']);
    const screen = await pages.open(url);
    const chart = screen.newest.locator('.chart');
    await screen.chat('revenue by month');
    await chart.locator('svg').waitFor();
    expect(await chart.locator('.point:not(.hidden)').count()).toBe(12);
    expect((await chart.locator('svg text').allTextContents()).join(' ')).toMatch(/\$0 \$100K \$200K \$300K Nov 2024 /);
    await screen.chat('revenue by product');
    await chart.locator('.bar-row').first().waitFor();
    expect(await chart.locator('.bar-row').count()).toBe(15);
    await chart.getByRole('button', { name: 'Show all 50' }).click();
    expect(await chart.locator('tbody tr').count()).toBe(50);
    expect(await screen.answer.locator('tbody tr').count()).toBe(12);
    await screen.answer.getByRole('button', { name: 'Show all 50 rows' }).click();
    expect(await screen.answer.locator('tbody tr').count()).toBe(50);
    await screen.chat('how are we doing with footwear?');
    await chart.locator('table').waitFor();
    expect(await chart.count()).toBe(1);
    expect(await chart.textContent()).toMatch(/Revenue[\s\S]*Stock[\s\S]*Rating/);
  });
});
