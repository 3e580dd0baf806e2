import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { say } from '../terminal/session.ts';
import { openPages, type Screen } from './pages.ts';
import { servePage } from './scene.ts';

const pages = openPages();

async function choose(screen: Screen, title: string, ...items: string[]): Promise<void> {
  await screen.button(`More for ${title}`).click();
  for (const name of items) await screen.page.getByRole('menuitem', { name, exact: true }).click();
}

const titles = ({ page }: Screen) => page.locator('.item-title').allInnerTexts();

describe('the list of conversations', () => {
  it('renames, pins, finds and deletes, the same in another tab', async () => {
    const { url } = await servePage({ replies: [say('About stars.'), say('About trees.')] });
    const one = await pages.open(url);
    await one.chat('first topic');
    await one.newConversation();
    await one.chat('second topic');
    const two = await pages.open(url, { beside: one });
    await expect.poll(() => titles(two)).toEqual(['second topic', 'first topic']);
    await choose(one, 'first topic', 'Rename');
    await one.page.getByRole('textbox', { name: 'Title' }).fill('the night sky');
    await one.page.getByRole('textbox', { name: 'Title' }).press('Enter');
    for (const tab of [one, two]) await expect.poll(() => titles(tab)).toContain('the night sky');
    await choose(two, 'the night sky', 'Pin');
    for (const tab of [one, two]) await expect.poll(() => titles(tab)).toEqual(['the night sky', 'second topic']);
    await one.page.keyboard.press('Control+k');
    await one.page.getByRole('searchbox').fill('trees');
    await expect.poll(() => titles(one)).toEqual(['second topic']);
    await one.page.keyboard.press('Escape');
    await expect.poll(() => titles(one)).toHaveLength(2);
    await choose(one, 'the night sky', 'Delete', 'Delete');
    for (const tab of [one, two]) await expect.poll(() => titles(tab)).toEqual(['second topic']);
  });

  it('saves a conversation as a Markdown file', async () => {
    const { url } = await servePage({ replies: [say('Hello **you**.')] });
    const screen = await pages.open(url, { acceptDownloads: true });
    await screen.chat('hello');
    const started = screen.page.waitForEvent('download');
    await choose(screen, 'hello', 'Export as Markdown');
    const text = readFileSync(await (await started).path(), 'utf8');
    expect(text).toContain('Hello **you**.');
  });
});

describe('an answer', () => {
  it('can be rated, and the rating is there after a refresh', async () => {
    const { url } = await servePage({ replies: [say('Hello.')] });
    const screen = await pages.open(url);
    await screen.chat('hello');
    await screen.button('Good answer').click();
    const isPressed = () => screen.button('Good answer').getAttribute('aria-pressed');
    await expect.poll(isPressed).toBe('true');
    await screen.reload();
    await screen.untilAnswer('Hello.');
    await expect.poll(isPressed).toBe('true');
  });

  it('begins a branch that is a conversation of its own', async () => {
    const { url, stored } = await servePage({ replies: [say('One.'), say('Two.'), say('Other.')] });
    const screen = await pages.open(url);
    await screen.chat('first');
    await screen.chat('second');
    const origin = screen.conversationId();
    await screen.turns.first().getByRole('button', { name: 'Branch from here' }).click();
    await expect.poll(() => screen.conversationId()).not.toBe(origin);
    await expect.poll(() => screen.transcript()).toEqual(['user: first', 'assistant: One.']);
    expect(await screen.chat('another second')).toBe('Other.');
    expect(await screen.transcript()).toEqual((await stored(screen.conversationId())).messages);
    expect((await stored(origin)).messages).toEqual([
      'user: first',
      'assistant: One.',
      'user: second',
      'assistant: Two.',
    ]);
    await screen.page.goBack();
    await screen.untilAnswer('Two.');
  });
});
