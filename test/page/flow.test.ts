import { describe, expect, it } from 'vitest';
import { buildTool } from '../build.ts';
import { call, say } from '../terminal/session.ts';
import { openPages } from './pages.ts';
import { servePage, serveShipped } from './scene.ts';

const pages = openPages();
const never = new Promise<never>(() => {});

describe('the first screen', () => {
  it('shows the agent, its engine and three starters (case 1)', async () => {
    const { url } = await serveShipped(['todo']);
    const { page } = await pages.open(url);
    await page.getByRole('heading', { name: 'Ask todo-assistant' }).waitFor();
    expect(await page.locator('.header').innerText()).toContain('built-in model');
    expect(await page.locator('.starter').allInnerTexts()).toEqual([
      'remind me to buy milk tomorrow',
      'what do I need to do?',
      'mark milk as done',
    ]);
  });

  it('answers a starter that is clicked, with a card for its tool (case 2)', async () => {
    const { url, stored } = await serveShipped(['todo']);
    const screen = await pages.open(url);
    await screen.button('remind me to buy milk tomorrow').click();
    await screen.until('completed');
    expect(await screen.answer.innerText()).toContain('buy milk');
    expect(await screen.cards.locator('.card-name').allInnerTexts()).toEqual(['add_task']);
    const { messages, calls } = await stored(screen.conversationId());
    expect([messages[0], calls.map(({ name, state }) => `${name} ${state}`)]).toEqual([
      'user: remind me to buy milk tomorrow',
      ['add_task completed'],
    ]);
  });
});

describe('the composer', () => {
  it('sends by Enter, and starts a new line by Shift+Enter (case 3)', async () => {
    const { url, stored } = await servePage({ replies: [say('Two lines.')] });
    const screen = await pages.open(url);
    await screen.composer.pressSequentially('first');
    await screen.composer.press('Shift+Enter');
    await screen.composer.pressSequentially('second');
    expect(await screen.turns.count()).toBe(0);
    await screen.composer.press('Enter');
    await screen.until('completed');
    expect(await screen.composer.inputValue()).toBe('');
    expect((await stored(screen.conversationId())).messages).toEqual(['user: first\nsecond', 'assistant: Two lines.']);
  });

  it('sends the next message while the conversation is still being read', async () => {
    const { url } = await servePage({ replies: [say('One.'), say('Two.')] });
    const screen = await pages.open(url);
    const read = Promise.withResolvers<void>();
    await screen.page.route('**/sessions/*?last=1', async (route) => {
      await read.promise;
      await route.continue();
    });
    await screen.chat('first');
    await screen.ask('second');
    await screen.untilAnswer('Two.');
    read.resolve();
  });

  it('sends nothing by the Enter that ends a composition (case 4)', async () => {
    const { url, model } = await servePage({ replies: [say('Hello.')] });
    const screen = await pages.open(url);
    await screen.composer.fill('こんにちは');
    // Safari ends the composition before the key; then only the key code 229 names it.
    for (const composing of ['isComposing: true', 'keyCode: 229'])
      await screen.page.evaluate(`document.querySelector('textarea').dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ${composing} }))`);
    expect([await screen.composer.inputValue(), await screen.turns.count()]).toEqual(['こんにちは', 0]);
    await screen.composer.press('Enter');
    await screen.until('completed');
    expect(model.requests).toHaveLength(1);
  });

  it('sends neither an empty message nor one of 10,001 characters (case 5)', async () => {
    const { url, model, stored } = await servePage({ replies: [say('Long.')] });
    const screen = await pages.open(url);
    for (const text of ['', ' \n\t ', '😀'.repeat(10_001)]) {
      await screen.composer.fill(text);
      expect(await screen.button('Send').isDisabled()).toBe(true);
      await screen.composer.press('Enter');
    }
    await screen.page.getByText('10,001 of 10,000 characters').waitFor();
    expect([await screen.turns.count(), model.requests.length]).toEqual([0, 0]);
    const longest = '😀'.repeat(10_000);
    await screen.composer.fill(longest);
    await screen.button('Send').click();
    await screen.until('completed');
    expect((await stored(screen.conversationId())).messages[0]).toBe(`user: ${longest}`);
  });

  it('keeps a message that the server refuses, with the reason', async () => {
    const { url } = await servePage({ replies: [say('Short.')], agent: { limits: { message_chars: 5 } } });
    const screen = await pages.open(url, { allow: [/status of 422/] });
    await screen.ask('too long');
    await screen.until('unsent');
    const view = screen.newest.getByRole('group', { name: 'Not sent' });
    expect(await view.innerText()).toContain('has 8 characters; at most 5 are allowed');
    expect(await screen.chat('short')).toBe('Short.');
  });
});

describe('Stop', () => {
  it('keeps the text so far and says so; the next message works (case 6)', async () => {
    const { url, stored } = await servePage({ replies: [say('Half of ', 'it', never), say('Whole.')] });
    const screen = await pages.open(url);
    await screen.ask('a long story');
    await screen.untilAnswer('Half of it');
    await screen.button('Stop').click();
    await screen.until('cancelled');
    expect(await screen.answer.innerText()).toBe('Half of it');
    await screen.newest.getByText('Stopped. The text so far is kept.').waitFor();
    expect(await screen.chat('again')).toBe('Whole.');
    expect(await stored(screen.conversationId())).toMatchObject({
      messages: ['user: a long story', 'assistant: Half of it', 'user: again', 'assistant: Whole.'],
      statuses: ['cancelled', 'completed'],
    });
  });

  it('stops a tool that runs (case 7)', async () => {
    const seen: AbortSignal[] = [];
    const slow = buildTool({
      name: 'slow',
      run: (_args, { signal }) => {
        seen.push(signal);
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
    });
    const { url, stored } = await servePage({ replies: [call(['slow', {}]), say('Done.')], tools: [slow] });
    const screen = await pages.open(url);
    await screen.ask('go');
    await screen.newest.locator('.card.running').waitFor();
    await expect.poll(() => seen.length).toBe(1);
    await screen.page.keyboard.press('Escape');
    await screen.until('cancelled');
    expect(seen.map(({ aborted }) => aborted)).toEqual([true]);
    await screen.newest.locator('.card.unknown').waitFor();
    expect(await stored(screen.conversationId())).toMatchObject({
      statuses: ['cancelled'],
      calls: [{ state: 'unknown' }],
    });
  });
});

describe('Retry', () => {
  it('answers the same question again, once, and also after a refresh (case 8)', async () => {
    const { url, stored } = await servePage({ replies: [say('First.'), say('Second.'), say('Third.')] });
    const screen = await pages.open(url);
    await screen.chat('hello');
    await screen.button('Retry').click();
    await screen.untilAnswer('Second.');
    await screen.until('completed');
    const { messages } = await stored(screen.conversationId());
    expect(messages).toEqual(['user: hello', 'assistant: Second.']);
    expect(await screen.transcript()).toEqual(messages);
    await screen.reload();
    await screen.untilAnswer('Second.');
    expect(await screen.transcript()).toEqual(messages);
    expect(await screen.chat('and now?')).toBe('Third.');
  });
});

describe('a question of the agent', () => {
  it('is answered by a choice that is clicked (case 10)', async () => {
    const { url, stored } = await serveShipped(['todo']);
    const screen = await pages.open(url);
    await screen.chat('remind me to buy milk');
    await screen.chat('remind me to buy oat milk');
    expect(await screen.chat('mark milk as done')).toContain('Which task did you mean');
    const choices = screen.page.getByRole('list', { name: 'Choices' });
    expect((await choices.getByRole('button').allInnerTexts()).toSorted()).toEqual(['buy milk', 'buy oat milk']);
    await choices.getByRole('button', { name: 'buy milk', exact: true }).click();
    await screen.untilAnswer("I've marked 'buy milk' as done");
    const { calls } = await stored(screen.conversationId());
    expect(calls.filter(({ name }) => name === 'complete_task')).toMatchObject([{ result: { title: 'buy milk' } }]);
  });
});

describe('Edit', () => {
  it('asks another text as a branch in the place of the first one, also after a refresh', async () => {
    const { url, stored } = await servePage({ replies: [say('One.'), say('Two.'), say('Other.')] });
    const screen = await pages.open(url);
    await screen.chat('first');
    await screen.chat('second');
    await screen.turns.first().getByRole('button', { name: 'Edit', exact: true }).click();
    const field = screen.page.getByLabel('Edit your message');
    await field.fill('another first');
    await field.press('Enter');
    await screen.untilAnswer('Other.');
    await screen.until('completed');
    const { messages } = await stored(screen.conversationId());
    expect(messages).toEqual(['user: another first', 'assistant: Other.']);
    expect(await screen.transcript()).toEqual(messages);
    await screen.reload();
    await screen.untilAnswer('Other.');
    expect(await screen.transcript()).toEqual(messages);
  });
});
