import { describe, expect, it } from 'vitest';
import { EVENT_STREAM, type FakeReply, writeEvents } from '../fakes/model-server.ts';
import { call, say } from '../terminal/session.ts';
import { openPages } from './pages.ts';
import { openProgram } from './program.ts';
import { servePage, serveShipped } from './scene.ts';

const pages = openPages();

/** Words that are all different, so that a lost or doubled one is seen. */
const words = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => `w${from + index} `);

/** A reply that thinks first. */
function think(thought: string, ...parts: (string | Promise<unknown>)[]): FakeReply {
  return async (response) => {
    response.writeHead(200, EVENT_STREAM);
    const send = (delta: object, finish_reason: string | null = null) =>
      response.write(writeEvents({ choices: [{ index: 0, delta, finish_reason }] }));
    send({ reasoning_content: thought });
    for (const part of parts) await (typeof part === 'string' ? send({ content: part }) : part);
    send({}, 'stop');
    response.end(writeEvents('[DONE]'));
  };
}

describe('a refresh', () => {
  it('in mid-text loses no character and doubles none (case 13)', async () => {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    const reply = say(...words(0, 200), gates[0].promise, ...words(200, 400), gates[1].promise, ...words(400, 600));
    const { url, stored } = await servePage({ replies: [reply] });
    const screen = await pages.open(url);
    await screen.ask('count');
    await screen.untilAnswer('w50 ');
    await screen.reload();
    expect(await screen.untilAnswer('w199')).toBe(words(0, 200).join('').trim());
    gates[0].resolve();
    await screen.reload();
    expect(await screen.untilAnswer('w399')).toBe(words(0, 400).join('').trim());
    gates[1].resolve();
    await screen.until('completed');
    const whole = words(0, 600).join('');
    expect(await screen.answer.innerText()).toBe(whole.trim());
    const { messages, statuses } = await stored(screen.conversationId());
    expect([messages, statuses]).toEqual([['user: count', `assistant: ${whole}`], ['completed']]);
    await screen.reload();
    expect(await screen.untilAnswer('w599')).toBe(whole.trim());
  });

  it('keeps the reasoning, which is folded', async () => {
    const gate = Promise.withResolvers<void>();
    const { url } = await servePage({ replies: [think('Let me think.', 'Half ', gate.promise, 'and whole.')] });
    const screen = await pages.open(url);
    await screen.ask('hello');
    await screen.untilAnswer('Half');
    await screen.reload();
    await screen.untilAnswer('Half');
    const reasoning = screen.newest.locator('.reasoning');
    expect([await reasoning.count(), await reasoning.getByText('Let me think.').isVisible()]).toEqual([1, false]);
    gate.resolve();
    await screen.until('completed');
    await screen.reload();
    await screen.untilAnswer('Half and whole.');
    await screen.newest.getByText('Reasoning').click();
    await reasoning.getByText('Let me think.').waitFor();
  });

  it('leaves an Enter that comes before the conversation is read, and sends the message once', async () => {
    const { url, stored } = await servePage({ replies: [say('First.'), say('Second.')] });
    const screen = await pages.open(url);
    await screen.chat('one');
    const gate = Promise.withResolvers<void>();
    await screen.page.route(/\/sessions\/\w+\?last=1/, (route) => gate.promise.then(() => route.continue()));
    await screen.page.reload();
    await screen.untilAnswer('First.');
    await screen.composer.fill('two');
    await screen.composer.press('Enter');
    expect(await screen.composer.inputValue()).toBe('two');
    gate.resolve();
    await screen.untilAnswer('Second.');
    await screen.until('completed');
    const { messages } = await stored(screen.conversationId());
    expect(messages).toEqual(['user: one', 'assistant: First.', 'user: two', 'assistant: Second.']);
  });

  it('during a tool leaves the tool running, which runs once (case 14)', async () => {
    const program = await openProgram([call(['look', { city: 'Oslo' }]), say('It is clear.')]);
    const { url } = await program.serve();
    const release = program.hold('Oslo');
    const screen = await pages.open(url);
    await screen.ask('how is Oslo?');
    await screen.newest.locator('.card.running').waitFor();
    await screen.reload();
    await screen.newest.locator('.card.running').waitFor();
    expect(await screen.turns.count()).toBe(1);
    release();
    await screen.until('completed');
    expect(await screen.answer.innerText()).toBe('It is clear.');
    expect(await screen.cards.locator('.card-name').allInnerTexts()).toEqual(['look']);
    expect(program.effects()).toEqual(['look Oslo']);
    expect(await program.stored(screen.conversationId())).toMatchObject({
      messages: ['user: how is Oslo?', 'assistant: ', 'tool', 'assistant: It is clear.'],
      calls: [{ name: 'look', state: 'completed' }],
    });
  });

  it('keeps what was being written, for each conversation (case 24)', async () => {
    const { url } = await servePage({ replies: [say('Hello.')] });
    const screen = await pages.open(url);
    await screen.composer.fill('not sent yet');
    await screen.reload();
    expect(await screen.composer.inputValue()).toBe('not sent yet');
    await screen.chat('hello');
    await screen.composer.fill('for this one');
    await screen.newConversation();
    await expect.poll(() => screen.composer.inputValue()).toBe('');
    await screen.page.goBack();
    await screen.untilAnswer('Hello.');
    await screen.reload();
    await screen.untilAnswer('Hello.');
    expect(await screen.composer.inputValue()).toBe('for this one');
  });
});

describe('another conversation', () => {
  it('can be opened in mid-answer; the first one goes on and is whole afterwards (case 17)', async () => {
    const gate = Promise.withResolvers<void>();
    const replies = [say(...words(0, 50), gate.promise, ...words(50, 100)), say('The other one.')];
    const { url, stored } = await servePage({ replies });
    const screen = await pages.open(url);
    await screen.ask('count');
    await screen.untilAnswer('w49');
    const first = screen.conversationId();
    await screen.newConversation();
    expect(await screen.chat('another')).toBe('The other one.');
    expect(await screen.transcript()).toEqual(['user: another', 'assistant: The other one.']);
    const item = screen.page.locator('.item-open', { hasText: 'count' });
    await item.filter({ hasText: 'answering' }).click();
    expect(await screen.untilAnswer('w49')).toBe(words(0, 50).join('').trim());
    await screen.page.goBack();
    await screen.untilAnswer('The other one.');
    gate.resolve();
    await screen.page.locator('.item-open', { hasText: 'count' }).click();
    await screen.untilAnswer('w99');
    await screen.until('completed');
    const whole = words(0, 100).join('');
    expect(await screen.transcript()).toEqual(['user: count', `assistant: ${whole.trim()}`]);
    expect((await stored(first)).messages).toEqual(['user: count', `assistant: ${whole}`]);
  });
});

describe('a first message that the server has not accepted yet', () => {
  async function openHeld() {
    const { url } = await servePage({ replies: [say('First.'), say('Second.')] });
    const screen = await pages.open(url);
    const gate = Promise.withResolvers<void>();
    const hold = async () =>
      screen.page.route('**/awp', (route) => gate.promise.then(() => route.continue()), { times: 1 });
    return { screen, hold, gate };
  }

  it('leaves what is being written in its field', async () => {
    const { screen, hold, gate } = await openHeld();
    await hold();
    await screen.ask('one');
    await screen.composer.fill('two');
    gate.resolve();
    await screen.until('completed');
    expect(await screen.composer.inputValue()).toBe('two');
    await screen.newConversation();
    expect(await screen.composer.inputValue()).toBe('');
  });

  it('does not take the place of another conversation', async () => {
    const { screen, hold, gate } = await openHeld();
    await screen.chat('one');
    const first = screen.conversationId();
    await screen.newConversation();
    await hold();
    await screen.ask('two');
    await screen.page.goBack();
    await screen.untilAnswer('First.');
    const accepted = screen.page.waitForResponse('**/awp');
    gate.resolve();
    await (await accepted).finished();
    const second = screen.page.locator('.item-open', { hasText: 'two' });
    await second.waitFor();
    expect(await screen.transcript()).toEqual(['user: one', 'assistant: First.']);
    expect(screen.conversationId()).toBe(first);
    await second.click();
    await screen.untilAnswer('Second.');
  });
});

describe('a network that is lost', () => {
  it('is reported, and what came meanwhile is shown once when it is back (case 18)', async () => {
    const gate = Promise.withResolvers<void>();
    const reply = say(...words(0, 50), gate.promise, ...words(50, 100));
    const { url, app, stored } = await servePage({ replies: [reply] });
    const screen = await pages.open(url, { allow: [/net::ERR_/] });
    await screen.ask('count');
    await screen.untilAnswer('w49');
    await screen.page.context().setOffline(true);
    app.server.closeAllConnections();
    await screen.page.getByText('The server is not reachable. What you type stays here.').first().waitFor();
    await screen.composer.fill('kept');
    gate.resolve();
    await expect.poll(async () => (await stored(screen.conversationId())).statuses).toEqual(['completed']);
    expect(await screen.answer.innerText()).toBe(words(0, 50).join('').trim());
    await screen.page.context().setOffline(false);
    await screen.until('completed');
    expect(await screen.answer.innerText()).toBe(words(0, 100).join('').trim());
    expect(await screen.composer.inputValue()).toBe('kept');
    await screen.page.locator('.line-state.live').waitFor();
  });

  it('is named in the panel of the tasks, which is read again when the server is back', async () => {
    const { url, app } = await serveShipped(['todo']);
    const screen = await pages.open(url, { allow: [/net::ERR_/] });
    await screen.chat('add buy milk');
    const panel = screen.page.getByRole('complementary', { name: 'Details' });
    const tasks = screen.button('Tasks');
    await tasks.click();
    await panel.getByText('buy milk').waitFor();
    await panel.getByRole('button', { name: 'Close details' }).click();
    await screen.page.context().setOffline(true);
    app.server.closeAllConnections();
    await screen.page.locator('.line-state:not(.live)').waitFor();
    await tasks.click();
    const problem = panel.getByRole('group', { name: 'This panel could not be loaded.' });
    expect(await problem.innerText()).toContain('The server does not answer');
    await problem.getByRole('button', { name: 'Try again' }).click();
    await problem.waitFor();
    await screen.page.context().setOffline(false);
    await panel.getByText('buy milk').waitFor();
    expect(await problem.count()).toBe(0);
  });
});
