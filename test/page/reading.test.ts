import { describe, expect, it } from 'vitest';
import { buildTool } from '../build.ts';
import { call, say } from '../terminal/session.ts';
import { openPages, type Screen } from './pages.ts';
import { servePage } from './scene.ts';

const LINES = Array.from({ length: 200 }, (_, index) => `line ${index}`).join('\n\n');
const TABLE = `|${' column |'.repeat(40)}\n|${'---|'.repeat(40)}\n|${' value |'.repeat(40)}\n`;
const CODE = `\`\`\`\n${'a long line of code '.repeat(40)}\n\`\`\`\n`;

const pages = openPages();

function gate() {
  return Promise.withResolvers<void>();
}

async function openWith(...parts: Parameters<typeof say>): Promise<Screen> {
  const { url } = await servePage({ replies: [say(...parts)] });
  return pages.open(url, { permissions: ['clipboard-read', 'clipboard-write'] });
}

const distanceToEnd = ({ log }: Screen) =>
  log.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight);

describe('the log', () => {
  it('stays where somebody has scrolled to while the answer grows, and goes to its end by a button (case 46)', async () => {
    const [more, end] = [gate(), gate()];
    const screen = await openWith(LINES, more.promise, `\n\n${LINES}\n\nnew`, end.promise, '\n\nthe last line');
    await screen.ask('write');
    await screen.untilAnswer('line 199');
    await expect.poll(() => distanceToEnd(screen)).toBeLessThan(30);
    await screen.log.hover();
    await screen.page.mouse.wheel(0, -2_000);
    const toEnd = screen.button('Jump to the newest message');
    await toEnd.waitFor();
    const before = await screen.log.evaluate((element) => element.scrollTop);
    more.resolve();
    await screen.untilAnswer('new');
    expect(await screen.log.evaluate((element) => element.scrollTop)).toBe(before);
    await toEnd.click();
    await expect.poll(() => distanceToEnd(screen)).toBeLessThan(30);
    end.resolve();
    await screen.untilAnswer('the last line');
    await screen.until('completed');
    await expect.poll(() => distanceToEnd(screen)).toBeLessThan(30);
    expect(await toEnd.count()).toBe(0);
  });

  it('stays where somebody scrolls to before the browser has reported the end', async () => {
    const screen = await openWith(LINES);
    await screen.chat('write');
    // The page scrolls in its own observer of the frame, before this one; the scroll event of both comes afterwards.
    await screen.page.evaluate(`(() => {
      const log = document.querySelector('[role=log]');
      const content = log.firstElementChild;
      content.style.minHeight = content.clientHeight + 500 + 'px';
      new ResizeObserver((_, observer) => {
        observer.disconnect();
        log.scrollBy(0, -60);
      }).observe(content);
    })()`);
    await screen.button('Jump to the newest message').waitFor();
  });

  it('shows a message that is sent from further up', async () => {
    const screen = await openWith(LINES);
    await screen.chat('write');
    await screen.log.evaluate((element) => (element.scrollTop = 0));
    await screen.button('Jump to the newest message').waitFor();
    await screen.ask('and again');
    await expect.poll(() => distanceToEnd(screen)).toBeLessThan(30);
    await screen.until('completed');
    await expect.poll(() => distanceToEnd(screen)).toBeLessThan(30);
  });

  it('leaves the head of a card where it is when somebody opens it, and follows again from the end (case 46)', async () => {
    const look = buildTool({ name: 'look', run: () => Array.from({ length: 60 }, (_, line) => `row ${line}`) });
    const replies = [say(LINES), call(['look', { text: 'x' }]), say('Seen.'), say('The next answer.')];
    const { url } = await servePage({ replies, tools: [look] });
    const screen = await pages.open(url);
    await screen.chat('write');
    await screen.chat('look');
    const head = screen.cards.first().getByRole('button').first();
    const before = await head.boundingBox();
    await head.click();
    await screen.cards.first().getByText('row 59').waitFor();
    await screen.button('Jump to the newest message').waitFor();
    expect((await head.boundingBox())?.y).toBe(before?.y);
    await head.click();
    await expect.poll(() => screen.button('Jump to the newest message').count()).toBe(0);
    await screen.chat('and now?');
    await expect.poll(() => distanceToEnd(screen)).toBeLessThan(30);
  });

  it('has its button for the newest message beside its text, not on it, at 320 px', async () => {
    const screen = await openWith(LINES);
    await screen.page.setViewportSize({ width: 320, height: 700 });
    await screen.chat('write');
    const down = screen.button('Bad answer');
    await screen.log.evaluate((element) => element.scrollBy(0, -60));
    await screen.button('Jump to the newest message').waitFor();
    const [log, button] = await Promise.all([
      screen.log.boundingBox(),
      screen.button('Jump to the newest message').boundingBox(),
    ]);
    expect(button?.y).toBeGreaterThanOrEqual((log?.y ?? 0) + (log?.height ?? 0) - 1);
    expect((button?.x ?? 0) + (button?.width ?? 0)).toBeLessThanOrEqual(320);
    expect(await down.count()).toBe(1);
  });

  it('lets tables and code scroll inside themselves (case 47)', async () => {
    const screen = await openWith(`${TABLE}\n\n${CODE}`);
    await screen.page.setViewportSize({ width: 320, height: 700 });
    await screen.chat('write');
    for (const selector of ['.table-scroll', 'pre']) {
      const part = screen.answer.locator(selector).first();
      const by = await part.evaluate((element) => {
        element.scrollLeft = 9_999;
        return element.scrollLeft;
      });
      expect(by, selector).toBeGreaterThan(100);
    }
    expect(await screen.log.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  });

  it('shades the edge of a table as long as columns are hidden behind it', async () => {
    const screen = await openWith(TABLE);
    await screen.page.setViewportSize({ width: 320, height: 700 });
    await screen.chat('write');
    const table = screen.answer.locator('.table-scroll');
    const cell = await table.locator('td').first().boundingBox();
    const box = await table.boundingBox();
    const y = (cell?.y ?? 0) + 3;
    const colorAt = async (x: number) =>
      (await screen.page.screenshot({ clip: { x, y, width: 1, height: 1 } })).toString('base64');
    const [edge, middle] = [(box?.x ?? 0) + (box?.width ?? 0) - 4, (box?.x ?? 0) + (box?.width ?? 0) / 2];
    expect(await colorAt(edge)).not.toBe(await colorAt(middle));
    await table.evaluate((element) => {
      element.scrollLeft = 99_999;
    });
    expect(await colorAt(edge)).toBe(await colorAt(middle));
  });
});

describe('an answer', () => {
  it('shows money, other scripts, emoji and long words as they were written (case 48)', async () => {
    const lines = [
      'It costs $5 and $10, R$ 20 or 3 < 4 & 5 > 2.',
      '日本語のテキスト 한국어 中文',
      'مرحبا بالعالم',
      'family 👨‍👩‍👧 and flag 🇳🇴',
      'w'.repeat(5_000),
    ];
    const screen = await openWith(lines.join('\n\n'));
    await screen.page.setViewportSize({ width: 320, height: 700 });
    const answer = await screen.chat('$5 and $10 مرحبا');
    expect(answer.split(/\n+/)).toEqual(lines);
    const direction = screen.answer.locator('p').nth(2);
    expect(await direction.evaluate((element) => element.matches(':dir(rtl)'))).toBe(true);
    const widths = await screen.answer.evaluate((element) => [element.scrollWidth, element.clientWidth]);
    expect(widths[0]).toBe(widths[1]);
  });

  it('does not jump while a fence or a table is half open (case 49)', async () => {
    const gates = [gate(), gate(), gate(), gate()] as const;
    const screen = await openWith(
      'Intro.\n\n```js\nconst a',
      gates[0].promise,
      ' = 1;\n// # no heading\n',
      gates[1].promise,
      '```\n\n| a | b |\n|---|---|\n| 1 ',
      gates[2].promise,
      '| 2 |\n| 3 | 4',
      gates[3].promise,
      ' |\n',
    );
    await screen.ask('write');
    const shape = () =>
      screen.answer.evaluate((element) => [...element.children].map((child) => child.textContent).join('¶'));
    const tops = () =>
      screen.answer
        .locator('p')
        .first()
        .evaluate((element) => element.getBoundingClientRect().top);
    await screen.untilAnswer('const a');
    const top = await tops();
    expect(await screen.answer.locator('pre').count()).toBe(1);
    gates[0].resolve();
    await screen.untilAnswer('no heading');
    expect([await screen.answer.locator('h1,h2,h3,h4').count(), await tops()]).toEqual([0, top]);
    gates[1].resolve();
    await screen.answer.locator('table').waitFor();
    expect(await shape()).not.toContain('```');
    gates[2].resolve();
    await screen.answer.locator('td').getByText('3').waitFor();
    expect([await screen.answer.locator('table').count(), await tops()]).toEqual([1, top]);
    gates[3].resolve();
    await screen.until('completed');
    expect(await screen.answer.locator('td').allInnerTexts()).toEqual(['1', '2', '3', '4']);
  });

  it('is copied as its Markdown source (case 50)', async () => {
    const source = '# Title\n\n- **bold** and `code`\n\n| a |\n|---|\n| 1 |';
    const screen = await openWith(source);
    await screen.chat('write');
    await screen.button('Copy').last().click();
    await screen.button('Copied as Markdown').waitFor();
    expect(await screen.page.evaluate('navigator.clipboard.readText()')).toBe(source);
  });

  it('is copied also where the browser has no clipboard API, as over plain HTTP (case 50)', async () => {
    const source = '**bold** and | a pipe';
    const { url } = await servePage({ replies: [say(source)] });
    const screen = await pages.open(url, {
      before: `Object.defineProperty(navigator, 'clipboard', { value: undefined });
        addEventListener('copy', () => (window.__copied = String(document.activeElement.value)));`,
    });
    await screen.chat('write');
    await screen.button('Copy').last().click();
    await screen.button('Copied as Markdown').waitFor();
    expect(await screen.page.evaluate('window.__copied')).toBe(source);
    expect(await screen.page.locator('textarea').count()).toBe(1);
  });
});
