import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openPages } from './pages.ts';
import { serveShipped } from './scene.ts';

const JAVASCRIPT_BYTES = 170_000;
const CSS_BYTES = 8_000;
const REQUESTS = 4;

const pages = openPages();

/** Requests until the page is drawn. The live list is left out: it is a stream that stays open. */
async function firstLoad(url: string) {
  const { page } = await pages.open(url);
  const asked = await page.evaluate<string[]>(
    `[location.href, ...performance.getEntriesByType('resource').map(({ name }) => name)]`,
  );
  const addresses = asked.filter((address) => !address.includes('/sessions/events'));
  const sizes = await Promise.all(
    addresses.map(async (address) => {
      const response = await fetch(address);
      const bytes = gzipSync(Buffer.from(await response.arrayBuffer()), { level: 9 }).length;
      return { type: response.headers.get('content-type') ?? '', bytes };
    }),
  );
  const bytesOf = (type: string) =>
    sizes.filter((entry) => entry.type.includes(type)).reduce((sum, { bytes }) => sum + bytes, 0);
  return { addresses, bytesOf };
}

describe('the first load', () => {
  it('takes at most 170 kB of JavaScript, 8 kB of CSS and four requests (case 56)', async () => {
    const { url } = await serveShipped(['retail']);
    const { addresses, bytesOf } = await firstLoad(url);
    expect(addresses.length, addresses.join(' ')).toBeLessThanOrEqual(REQUESTS);
    expect(bytesOf('javascript')).toBeGreaterThan(50_000);
    expect(bytesOf('javascript')).toBeLessThanOrEqual(JAVASCRIPT_BYTES);
    expect(bytesOf('css')).toBeGreaterThan(1_000);
    expect(bytesOf('css')).toBeLessThanOrEqual(CSS_BYTES);
  });

  it('is not repeated: assets come from the cache of the browser at the next visit (case 56)', async () => {
    const { url } = await serveShipped(['retail']);
    const screen = await pages.open(url);
    await screen.reload();
    const sizes = await screen.page.evaluate<number[]>(
      `performance.getEntriesByType('resource').filter(({ name }) => name.includes('/assets/index')).map(({ transferSize }) => transferSize)`,
    );
    expect(sizes).toEqual([0, 0]);
  });

  it('leaves the panels beside the conversation out until they are opened (case 56)', async () => {
    const { url } = await serveShipped(['retail']);
    const screen = await pages.open(url);
    const scripts = () =>
      screen.page.evaluate<number>(
        `performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).length`,
      );
    expect(await scripts()).toBe(1);
    await screen.button('Row').click();
    await screen.page.getByRole('complementary', { name: 'Details' }).getByText('Choose a figure').waitFor();
    expect(await scripts()).toBe(2);
  });
});
