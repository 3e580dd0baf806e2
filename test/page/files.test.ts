import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { say } from '../terminal/session.ts';
import { openPages, type Screen } from './pages.ts';
import { servePage, serveShipped } from './scene.ts';

const BIDI = '\u202e';

const pages = openPages();

interface TestFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

function textFile(name: string, content = 'some text'): TestFile {
  return { name, mimeType: 'text/plain', buffer: Buffer.from(content) };
}

function chips({ page }: Screen): Locator {
  return page.locator('.attachments .chip');
}

async function attach({ page }: Screen, files: TestFile[]): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Attach files' }).click();
  await (await chooser).setFiles(files);
}

/** Sends an event with a file that was made in the page, as a browser does for a drop or a paste. */
async function dispatch({ page }: Screen, kind: 'drop' | 'paste', name: string): Promise<void> {
  await page.evaluate(`{
    const data = new DataTransfer();
    data.items.add(new File(['some text'], ${JSON.stringify(name)}, { type: 'text/plain' }));
    const options = { bubbles: true, cancelable: true };
    const target = document.querySelector('textarea');
    if (${JSON.stringify(kind)} === 'paste') target.dispatchEvent(new ClipboardEvent('paste', { ...options, clipboardData: data }));
    else for (const type of ['dragover', 'drop']) document.body.dispatchEvent(new DragEvent(type, { ...options, dataTransfer: data }));
  }`);
}

describe('a file', () => {
  it('is attached by the button, a drop and a paste, and is sent with the message (case 32)', async () => {
    const { url, model, stored } = await servePage({ replies: [say('Read.')] });
    const screen = await pages.open(url);
    await attach(screen, [textFile('button.txt', 'the words of the file')]);
    await dispatch(screen, 'drop', 'dropped.txt');
    await dispatch(screen, 'paste', 'pasted.txt');
    await expect.poll(() => chips(screen).allInnerTexts()).toEqual(['button.txt', 'dropped.txt', 'pasted.txt']);
    await chips(screen).nth(1).getByRole('button', { name: 'Remove dropped.txt' }).click();
    await screen.chat('read these');
    expect(await chips(screen).count()).toBe(0);
    await expect
      .poll(() => screen.newest.locator('.file-verdicts li').allInnerTexts())
      .toEqual([expect.stringContaining('button.txt'), expect.stringContaining('pasted.txt')]);
    expect(JSON.stringify(model.requests[0]?.body)).toContain('the words of the file');
    expect((await stored(screen.conversationId())).statuses).toEqual(['completed']);
    await screen.reload();
    await screen.newest.locator('.file-verdicts').waitFor();
    expect(await screen.newest.locator('.file-verdicts li').count()).toBe(2);
  });

  it('gets a verdict of its own: read, or refused by the reader (case 33)', async () => {
    const { url } = await servePage({ replies: [say('I read one of them.')] });
    const screen = await pages.open(url);
    const broken = { name: 'broken.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 and no more') };
    await attach(screen, [textFile('good.txt'), broken]);
    await screen.ask('read these');
    await screen.until('completed');
    const verdicts = screen.newest.locator('.file-verdicts li');
    expect(await verdicts.nth(0).getAttribute('class')).toBe('read');
    expect(await verdicts.nth(1).getAttribute('class')).toBe('refused');
    expect(await verdicts.nth(1).innerText()).toMatch(/broken\.pdf\s+refused\s+\S+/);
  });

  it('that cannot be sent is named with the reason before the message is sent (case 33)', async () => {
    const { url, model } = await servePage({ replies: [say('x')] });
    const screen = await pages.open(url);
    await screen.composer.fill('read these');
    await screen.page.evaluate(`{
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(50 * 1024 * 1024 + 1)], 'big.txt', { type: 'text/plain' }));
      data.items.add(new File(['MZ'], 'program.exe', { type: 'application/x-msdownload' }));
      data.items.add(new File([], 'empty.txt', { type: 'text/plain' }));
      document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }));
    }`);
    const texts = () => chips(screen).allInnerTexts();
    const words = (text: string) => text.replace(/\s+/g, ' ').trim();
    await expect
      .poll(async () => (await texts()).map(words))
      .toEqual(['big.txt larger than 50 MB', 'program.exe this type is not read', 'empty.txt empty']);
    expect(await screen.button('Send').isDisabled()).toBe(true);
    await screen.composer.press('Enter');
    for (let left = 3; left > 0; left--) await chips(screen).first().getByRole('button').click();
    await attach(
      screen,
      Array.from({ length: 11 }, (_, index) => textFile(`${index + 1}.txt`)),
    );
    await expect.poll(() => chips(screen).count()).toBe(11);
    expect(words((await texts())[10] ?? '')).toBe('11.txt At most 10 files can be attached.');
    expect(await screen.button('Send').isDisabled()).toBe(true);
    expect([await screen.turns.count(), model.requests.length]).toEqual([0, 0]);
  });
});

describe('a hostile file name', () => {
  it('is text: it runs nothing, fetches nothing and does not turn around (case 34)', async () => {
    const { url } = await servePage({ replies: [say('Read.')] });
    const screen = await pages.open(url);
    const names = [
      '<img src=x onerror=window.__x=1>.txt',
      '"><script>window.__x=1</script>.txt',
      'javascript:window.__x=1.txt',
      `invoice${BIDI}fdp.txt`,
      `${'long '.repeat(39)}.txt`,
    ];
    await attach(
      screen,
      names.map((name) => textFile(name)),
    );
    await expect.poll(() => chips(screen).count()).toBe(names.length);
    const check = async (part: string) => {
      expect(await screen.page.evaluate(`window.__x`)).toBeUndefined();
      expect(await screen.page.locator(`${part} img, ${part} script, ${part} a`).count()).toBe(0);
      const text = await screen.page.locator(part).first().innerText();
      expect(text).toContain('img src=x onerror=window.__x=1');
      expect(text).not.toContain(BIDI);
      const widest = await screen.page
        .locator(part)
        .first()
        .evaluate((element) => element.scrollWidth - element.clientWidth);
      expect(widest).toBeLessThanOrEqual(0);
    };
    await check('.attachments');
    await screen.chat('read these');
    await check('.file-verdicts');
    await screen.reload();
    await screen.newest.locator('.file-verdicts').waitFor();
    await check('.file-verdicts');
  });
});

describe('pictures', () => {
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
});
