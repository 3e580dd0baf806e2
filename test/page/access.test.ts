import { describe, expect, it } from 'vitest';
import { call, say } from '../terminal/session.ts';
import { openPages, type Screen } from './pages.ts';
import { openProgram } from './program.ts';
import { servePage, serveShipped } from './scene.ts';

const QUESTION = 'top 3 products by abandonment rate';
/** Records each text that a screen reader would speak. */
const LISTEN = `addEventListener('DOMContentLoaded', () => {
  window.__spoken = [];
  new MutationObserver(() => {
    for (const element of document.querySelectorAll('[role=status], [aria-live=assertive]')) {
      const text = element.textContent.trim();
      if (element.__text !== text && text) window.__spoken.push(text);
      element.__text = text;
    }
  }).observe(document.body, { childList: true, subtree: true, characterData: true });
})`;

const pages = openPages();

/** Presses Tab until the focus is on an element, and checks that the focus can be seen at each stop. */
async function tabTo({ page }: Screen, selector: string): Promise<void> {
  for (let stop = 0; stop < 120; stop++) {
    await page.keyboard.press('Tab');
    const focus = await page.evaluate<{ isThere: boolean; isSeen: boolean; name: string }>(`(() => {
      const element = document.activeElement;
      const { outlineStyle, outlineWidth, boxShadow, borderColor } = getComputedStyle(element);
      const frame = element.closest('.composer');
      const isSeen = (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none' || Boolean(frame && getComputedStyle(frame).boxShadow !== 'none');
      return { isThere: element.matches(${JSON.stringify(selector)}), isSeen: isSeen || element === document.body, name: element.outerHTML.slice(0, 120) };
    })()`);
    expect(focus.isSeen, focus.name).toBe(true);
    if (focus.isThere) return;
  }
  throw new Error(`Tab does not reach ${selector}.`);
}

describe('the keyboard alone', () => {
  it('asks, opens a figure, closes it, starts anew and searches, with the focus in view (case 43)', async () => {
    const { url } = await serveShipped(['retail']);
    const screen = await pages.open(url);
    const { page } = screen;
    const focused = () => page.evaluate<string>('document.activeElement.className + document.activeElement.tagName');
    await tabTo(screen, '.starter');
    await page.keyboard.press('Control+o');
    await tabTo(screen, 'textarea');
    await page.keyboard.type(QUESTION);
    await page.keyboard.press('Enter');
    await screen.turns.first().waitFor();
    await screen.until('completed');
    await page.keyboard.press('Alt+ArrowUp');
    expect(await focused()).toContain('turn');
    await tabTo(screen, '.figure');
    await page.keyboard.press('Enter');
    await page.locator('.row-panel').waitFor();
    expect(await focused()).toBe('tabH2');
    await page.keyboard.press('Escape');
    await page.locator('.row-panel').waitFor({ state: 'detached' });
    expect(await focused()).toContain('figure');
    await page.keyboard.press('Control+k');
    await expect.poll(() => page.evaluate('document.activeElement.type')).toBe('search');
    await page.keyboard.type('abandonment');
    await expect.poll(() => page.locator('.list .item').count()).toBe(1);
    await page.keyboard.press('Control+o');
    await page.locator('.starter').first().waitFor();
    expect(screen.conversationId()).toBeUndefined();
  });
});

describe('a screen reader', () => {
  it('gets one text when an answer begins and one when it ends (case 44)', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { url } = await servePage({ replies: [say('Some ', 'words ', promise, `and **more**. ${'x'.repeat(900)}`)] });
    const screen = await pages.open(url, { before: LISTEN });
    await screen.ask('speak');
    await screen.untilAnswer('Some words');
    expect(await screen.page.evaluate('__spoken')).toEqual(['Answering']);
    resolve();
    await screen.until('completed');
    await expect.poll(() => screen.page.evaluate<number>('__spoken.length')).toBe(2);
    const [, last = ''] = await screen.page.evaluate<string[]>('__spoken');
    expect(last).toMatch(/^Answer: Some words and more ?\. x+$/);
    expect(last.length).toBeLessThan(450);
  });

  it('gets one text when a decision is needed (case 44)', async () => {
    const { serve } = await openProgram([call(['wipe', { disk: 'c' }]), say('Wiped.')]);
    const screen = await pages.open((await serve()).url, { before: LISTEN });
    await screen.ask('wipe it');
    await screen.until('waiting');
    await expect.poll(() => screen.page.evaluate('__spoken')).toEqual(['Answering', 'Waits for your decision']);
  });
});

describe('settings of a person', () => {
  it('are followed: 200 % zoom, forced colours and no motion (case 45)', async () => {
    const { url } = await serveShipped(['retail']);
    const screen = await pages.open(url, {
      viewport: { width: 640, height: 400 },
      deviceScaleFactor: 2,
      forcedColors: 'active',
      reducedMotion: 'reduce',
    });
    const { page } = screen;
    await screen.ask(QUESTION);
    await screen.until('completed');
    const moving = `document.getAnimations().filter((animation) => animation.effect.getComputedTiming().duration > 1).length`;
    expect(await page.evaluate(moving)).toBe(0);
    expect(
      await page.evaluate(`[...document.querySelectorAll('button, textarea')].filter((element) => {
      const { right, left, width } = element.getBoundingClientRect();
      return width > 1 && !element.closest('.table-scroll') && (left < 0 || right > innerWidth + 1);
    }).length`),
    ).toBe(0);
    expect(await screen.composer.isVisible()).toBe(true);
    expect(await screen.log.evaluate((element) => element.clientHeight)).toBeGreaterThan(150);
    await screen.newest.locator('.figure').first().click();
    await page.locator('.marked-cell').waitFor();
    expect(
      await page
        .locator('.marked-cell')
        .evaluate((element) => element.ownerDocument.defaultView.getComputedStyle(element).outlineStyle),
    ).toBe('solid');
  });
});

describe('guard', () => {
  const pages = openPages();

  it('notices scripts in HTML, text that becomes HTML, requests to other hosts and errors (case 36)', async () => {
    const { url } = await servePage();
    const { page } = await pages.open(url);
    expect(pages.takeProblems()).toEqual([]);
    await page.evaluate(`
    document.body.append(Object.assign(document.createElement('img'), { src: 'http://127.0.0.2:9/x.png' }));
    try { document.body.innerHTML = '<b>x</b>'; } catch {}
    document.body.setAttribute('style', 'color: red');
    setTimeout(() => { throw new Error('mine'); });
  `);
    const found: string[] = [];
    await expect
      .poll(() => {
        found.push(...pages.takeProblems());
        return ['img-src', 'require-trusted-types-for', 'style-src-attr', 'thrown: Error: mine'].filter(
          (part) => !found.some((problem) => problem.includes(part)),
        );
      })
      .toEqual([]);
    await page.evaluate(`fetch('http://127.0.0.2:9/').catch(() => {})`);
    await expect.poll(() => found.push(...pages.takeProblems()) && found.join()).toContain('connect-src');
  });
});
