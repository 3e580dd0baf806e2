import { describe, expect, it } from 'vitest';
import { call, say } from '../terminal/session.ts';
import { openPages } from './pages.ts';
import { openProgram } from './program.ts';
import { servePage } from './scene.ts';

const pages = openPages();

describe('two tabs', () => {
  it('show question and answer of both, live and the same (case 15)', async () => {
    const gate = Promise.withResolvers<void>();
    const replies = [say('First.'), say('Half ', gate.promise, 'and whole.'), say('Third.')];
    const { url, stored } = await servePage({ replies });
    const one = await pages.open(url);
    await one.chat('one');
    const two = await pages.open(one.page.url(), { beside: one });
    await two.untilAnswer('First.');
    await one.ask('two');
    for (const tab of [one, two]) {
      await tab.untilAnswer('Half');
      expect(await tab.transcript()).toEqual(['user: one', 'assistant: First.', 'user: two', 'assistant: Half']);
    }
    gate.resolve();
    for (const tab of [one, two]) await tab.until('completed');
    await two.chat('three');
    await one.untilAnswer('Third.');
    const { messages } = await stored(one.conversationId());
    expect(await one.transcript()).toEqual(messages);
    expect(await two.transcript()).toEqual(messages);
  });

  it('show that a conversation was deleted in the other one (case 23)', async () => {
    const { url, stored } = await servePage({ replies: [say('Hello.')] });
    const one = await pages.open(url, { allow: [/status of 404/] });
    await one.chat('hello there');
    const two = await pages.open(url, { beside: one });
    await two.button('More for hello there').click();
    await two.page.getByRole('menuitem', { name: 'Delete' }).click();
    await two.page.getByRole('menuitem', { name: 'Delete' }).click();
    await one.page.getByRole('heading', { name: 'This conversation does not exist' }).waitFor();
    for (const tab of [one, two]) await expect.poll(() => tab.page.locator('.item').count()).toBe(0);
    expect((await stored(one.conversationId())).messages).toEqual([]);
  });
});

describe('the terminal and the page', () => {
  it('show the turns of each other, live in the page (case 16)', async () => {
    const gate = Promise.withResolvers<void>();
    const program = await openProgram([
      say('First.'),
      call(['look', { city: 'Oslo' }]),
      say('Half ', gate.promise, 'and whole.'),
      say('Third.'),
    ]);
    const server = await program.serve();
    const terminal = program.chat();
    await terminal.until(/\n>/);
    terminal.type('from the terminal\r');
    await terminal.until('First.');
    const screen = await pages.open(server.url);
    await screen.page.locator('.item-open', { hasText: 'from the terminal' }).click();
    await screen.untilAnswer('First.');
    await terminal.until(/\n> ?$/);
    terminal.type('how is Oslo?\r');
    await screen.untilAnswer('Half');
    expect(await screen.cards.locator('.card-name').allInnerTexts()).toEqual(['look']);
    gate.resolve();
    await screen.until('completed');
    await terminal.until('Half and whole.');
    expect(await screen.chat('from the page')).toBe('Third.');
    const id = screen.conversationId();
    const { messages } = await program.stored(id);
    expect(await screen.transcript()).toEqual(messages.filter((text) => text !== 'tool' && text !== 'assistant: '));
    expect(program.effects()).toEqual(['look Oslo']);
    await terminal.until(/\n> ?$/);
    terminal.type('and after that?\r');
    await screen.untilAnswer('Third.');
    await expect.poll(() => screen.turns.count()).toBe(4);
    expect(JSON.stringify(program.model.requests.at(-1)?.body)).toContain('from the page');
    const again = program.chat(['--resume', id ?? '']);
    await again.until('> from the page\nThird.');
  });

  it('stop an answer that the other one runs (case 16)', async () => {
    const program = await openProgram([say('Half', new Promise(() => {}))]);
    const { url } = await program.serve();
    const terminal = program.chat();
    await terminal.until(/\n>/);
    terminal.type('a long story\r');
    await terminal.until('Half');
    const screen = await pages.open(url);
    await screen.page.locator('.item-open', { hasText: 'a long story' }).click();
    await screen.untilAnswer('Half');
    await screen.button('Stop').click();
    await screen.until('cancelled');
    expect(await screen.transcript()).toEqual(['user: a long story', 'assistant: Half']);
    expect((await program.stored(screen.conversationId())).statuses).toEqual(['cancelled']);
  });
});
