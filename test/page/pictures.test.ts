import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openPages } from './pages.ts';
import { serveShipped } from './scene.ts';
import type { Screen } from './screen.ts';

const ROOT = join(import.meta.dirname, '../..');
const VIEWPORT = { width: 1280, height: 800 };
/** Bytes of a PNG before its width and height. */
const SIZE_AT = 16;

const pages = openPages();

/** The README shows these pictures. `npm run docs:write -- --pictures` writes them; fonts differ, so only their size is compared. */
describe('the pictures of the page', () => {
  it('show an answer from data with the row of a figure', async () => {
    const { url } = await serveShipped(['retail', 'todo']);
    const screen = await pages.open(`${url}/?agent=retail-analyst`, { viewport: VIEWPORT, colorScheme: 'light' });
    await screen.chat('Revenue and stock by category');
    await screen.newest.locator('.figure').first().click();
    await screen.page.locator('.marked-cell').waitFor();
    await screen.newest.locator('.question').scrollIntoViewIfNeeded();
    await takePicture(screen, 'page-figure.png');
  });

  it('show tasks beside the chat in the dark', async () => {
    const { url } = await serveShipped(['todo', 'retail']);
    const screen = await pages.open(`${url}/?agent=todo-assistant`, { viewport: VIEWPORT, colorScheme: 'dark' });
    await screen.chat('remind me to buy milk tomorrow');
    await screen.chat('add a task to call mom');
    await screen.button('Tasks').click();
    await screen.page.getByRole('complementary', { name: 'Details' }).getByText('call mom').waitFor();
    await takePicture(screen, 'page-tasks.png');
  });
});

async function takePicture({ page }: Screen, name: string): Promise<void> {
  const file = join(ROOT, 'docs/images', name);
  const picture = await page.screenshot({ animations: 'disabled' });
  if (process.env.WRITE_PICTURES) writeFileSync(file, picture);
  const stored = readFileSync(file);
  const sizeOf = (png: Buffer) => [png.readUInt32BE(SIZE_AT), png.readUInt32BE(SIZE_AT + 4)];
  expect(sizeOf(stored)).toEqual(sizeOf(picture));
  expect(readFileSync(join(ROOT, 'README.md'), 'utf8')).toContain(`(docs/images/${name})`);
}
