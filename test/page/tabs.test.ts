import OpenAI from 'openai';
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

describe('one conversation', () => {
  const pages = openPages();
  const CTRL_D = '\u0004';

  it('one conversation is begun over OpenAI’s API, continued in the terminal and finished on the page', async () => {
    const { model, serve, chat, effects, stored } = await openProgram([
      call(['look', { city: 'Oslo' }]),
      say('Oslo is clear.'),
      call(['look', { city: 'Rome' }]),
      say('Rome is clear too.'),
      call(['wipe', { disk: 'sda1' }]),
      say('The disk is wiped.'),
    ]);
    const { url } = await serve();

    const client = new OpenAI({ apiKey: 'any', baseURL: `${url}/v1`, maxRetries: 0 });
    const begun = await client.chat.completions.create({
      model: 'helper',
      messages: [{ role: 'user', content: 'how is Oslo?' }],
      metadata: { session_id: 'our talk' },
    });
    expect(begun.choices[0]?.message.content).toBe('Oslo is clear.');

    const terminal = chat(['--resume']);
    expect(await terminal.until(/\n> ?$/)).toContain('> how is Oslo?\nOslo is clear.');
    terminal.type('and Rome?\r');
    await terminal.until('Rome is clear too.');
    await terminal.until(/\n> ?$/);
    terminal.type(CTRL_D);
    expect(await terminal.exit).toBe(0);

    const listed = (await (await fetch(`${url}/sessions`)).json()) as { sessions: { session_id: string }[] }; // as the API has it
    expect(listed.sessions).toHaveLength(1);
    const id = listed.sessions[0]?.session_id;
    const screen = await pages.open(`${url}/?c=${id}`);
    await screen.page.getByText('Rome is clear too.', { exact: true }).waitFor();
    await screen.page.getByText('Oslo is clear.', { exact: true }).waitFor();
    await screen.ask('wipe sda1');
    await screen.until('waiting');
    expect(effects()).toEqual(['look Oslo', 'look Rome']);
    await screen.button('Allow once').click();
    await screen.until('completed');
    expect(await screen.answer.innerText()).toContain('The disk is wiped.');

    const { messages, calls } = await stored(id);
    const texts = messages.filter((text) => !text.startsWith('tool') && text !== 'assistant: ');
    expect(texts).toEqual([
      'user: how is Oslo?',
      'assistant: Oslo is clear.',
      'user: and Rome?',
      'assistant: Rome is clear too.',
      'user: wipe sda1',
      'assistant: The disk is wiped.',
    ]);
    expect(calls.map(({ name, state }) => `${name} ${state}`)).toEqual([
      'look completed',
      'look completed',
      'wipe completed',
    ]);
    expect(effects()).toEqual(['look Oslo', 'look Rome', 'wipe sda1']);
    const last = JSON.stringify(model.requests.at(-1)?.body);
    for (const text of ['how is Oslo?', 'and Rome?', 'wipe sda1']) expect(last).toContain(text);
  });
});
