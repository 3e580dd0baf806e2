import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { pick } from '../long.ts';
import { openPages } from './pages.ts';
import { serveShipped } from './scene.ts';
import { VIEWS } from './views.ts';

const SIZES = pick([320, 1280], [320, 768, 1280, 1920]).map((width) => ({ width, height: 800 }));
/** Both widths and both schemes; in the long form all of their pairs. */
const LOOKS = pick<[width: number, colorScheme: 'light' | 'dark'][]>(
  [
    [1280, 'light'],
    [320, 'dark'],
  ],
  [
    [1280, 'light'],
    [1280, 'dark'],
    [320, 'light'],
    [320, 'dark'],
  ],
);

/** Names of elements that a person cannot reach because they begin or end beyond the screen. */
const BEYOND = `[...document.querySelectorAll('body *')].filter((element) => {
  const { left, right, width, height } = element.getBoundingClientRect();
  if (width <= 1 || height <= 1 || (left >= -1 && right <= innerWidth + 1)) return false;
  for (let parent = element.parentElement; parent; parent = parent.parentElement)
    if (['auto', 'scroll'].includes(getComputedStyle(parent).overflowX)) {
      const frame = parent.getBoundingClientRect();
      return frame.left < -1 || frame.right > innerWidth + 1;
    }
  return true;
}).map((element) => element.tagName + '.' + element.getAttribute('class'))`;

/** Pixels by which the document can be scrolled. Only parts of the page scroll. */
const SCROLLED = `(() => { scrollTo(9999, 9999); const by = [scrollX, scrollY]; scrollTo(0, 0); return by; })()`;

const pages = openPages();

async function findFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate<string[]>(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 160)).join(' ')))`,
  );
}

/** The page takes the parts away that a new size has no room for, in the frames that follow. */
const NEXT_FRAMES = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))';

describe.each(VIEWS)('$name', ({ open }) => {
  it(`fits into ${SIZES.map(({ width }) => width).join(', ')} px and has no fault that axe finds, light and dark (cases 41, 42)`, async () => {
    const { page } = await open(pages);
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await expect.poll(() => page.evaluate(BEYOND), { message: `${size.width} px` }).toEqual([]);
      await expect.poll(() => page.evaluate(SCROLLED), { message: `${size.width} px` }).toEqual([0, 0]);
    }
    for (const [width, colorScheme] of LOOKS) {
      await page.setViewportSize({ width, height: 800 });
      // A colour in the middle of its transition is no colour of the page.
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.evaluate(NEXT_FRAMES);
      expect(await findFaults(page), `${width} px, ${colorScheme}`).toEqual([]);
    }
  });
});

describe('the list of conversations on a narrow screen', () => {
  it('is a sheet that fits and has no fault that axe finds (cases 41, 42)', async () => {
    const { url } = await serveShipped(['todo']);
    const screen = await pages.open(url);
    await screen.chat(`remind me to buy ${'tea'.repeat(40)}`);
    const { page } = screen;
    await page.setViewportSize({ width: 320, height: 800 });
    await page.getByRole('button', { name: 'Open conversations' }).click();
    await page.getByRole('dialog', { name: 'Conversations' }).waitFor();
    expect(await page.evaluate(BEYOND)).toEqual([]);
    expect(await findFaults(page)).toEqual([]);
  });
});
