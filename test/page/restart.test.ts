import { describe, expect, it } from 'vitest';
import { call, say } from '../terminal/session.ts';
import { openPages } from './pages.ts';
import { openProgram } from './program.ts';

const pages = openPages();
const never = new Promise<never>(() => {});
/** The browser reports each request that a stopped server refuses. */
const allow = [/Failed to load resource: net::ERR_/];

describe('a server that is killed in mid-answer', () => {
  it('is shown honestly after the restart; Continue finishes the answer and runs no tool again (case 19)', async () => {
    const program = await openProgram([
      call(['look', { city: 'Oslo' }]),
      say('The sky ', 'is', never),
      say('The sky is **clear**.'),
    ]);
    const server = await program.serve();
    const screen = await pages.open(server.url, { allow });
    await screen.ask('how is Oslo?');
    await screen.untilAnswer('The sky is');
    await server.kill('SIGKILL');
    await screen.page.locator('.line-state:not(.live)').waitFor();
    await program.serve();
    await screen.until('interrupted');
    const view = screen.newest.getByRole('region', { name: 'The answer was interrupted' });
    expect(await view.innerText()).toContain('Finished before: look.');
    expect(await view.innerText()).toContain('Nothing was run again.');
    await screen.button('Continue').click();
    await screen.until('completed');
    expect(await screen.answer.innerText()).toBe('The sky is clear.');
    expect(program.effects()).toEqual(['look Oslo']);
    expect(await program.stored(screen.conversationId())).toMatchObject({
      messages: ['user: how is Oslo?', 'assistant: ', 'tool', 'assistant: The sky is **clear**.'],
      statuses: ['completed'],
      calls: [{ name: 'look', state: 'completed' }],
    });
  });
});

describe('a page that is opened after the crash', () => {
  it('shows the text that was kept; the continued answer is whole, with nothing twice (case 19)', async () => {
    const words = Array.from({ length: 300 }, (_, index) => `w${index} `);
    const program = await openProgram([say(...words.slice(0, 150), never), say(...words)]);
    const server = await program.serve();
    const before = await pages.open(server.url, { allow });
    await before.ask('count');
    await before.untilAnswer('w149');
    await server.kill('SIGKILL');
    await before.page.locator('.line-state:not(.live)').waitFor();
    await program.serve();
    const after = await pages.open(before.page.url());
    for (const tab of [before, after]) await tab.until('interrupted');
    const kept = await after.log.locator('.markdown').allInnerTexts();
    expect(words.join('').startsWith(kept.join())).toBe(true);
    expect(await before.log.locator('.markdown').allInnerTexts()).toEqual(kept);
    await after.button('Continue').click();
    for (const tab of [before, after]) {
      await tab.until('completed');
      expect(await tab.transcript()).toEqual(['user: count', `assistant: ${words.join('').trim()}`]);
    }
    const { messages } = await program.stored(after.conversationId());
    expect(messages).toEqual(['user: count', `assistant: ${words.join('')}`]);
  });

  it('names a tool whose outcome is unknown, and does not run it again (case 19)', async () => {
    const program = await openProgram([call(['look', { city: 'Oslo' }]), say('I do not know.')]);
    program.hold('Oslo');
    const server = await program.serve();
    const before = await pages.open(server.url, { allow });
    await before.ask('how is Oslo?');
    await before.newest.locator('.card.running').waitFor();
    await expect.poll(program.effects).toEqual(['look Oslo']);
    await server.kill('SIGKILL');
    await program.serve();
    const after = await pages.open(before.page.url());
    await after.until('interrupted');
    await after.newest.locator('.card.unknown').waitFor();
    const view = after.newest.getByRole('region', { name: 'The answer was interrupted' });
    expect(await view.innerText()).toContain('Outcome unknown: look.');
    await after.button('Continue').click();
    await after.untilAnswer('I do not know.');
    await after.until('completed');
    expect(program.effects()).toEqual(['look Oslo']);
    expect(await program.stored(after.conversationId())).toMatchObject({ calls: [{ name: 'look', state: 'unknown' }] });
  });
});

describe('a server that is stopped in mid-answer', () => {
  it('finishes the answer first, and the page shows it whole (case 20)', async () => {
    const gate = Promise.withResolvers<void>();
    const program = await openProgram([say('Half ', gate.promise, 'and whole.'), say('After.')]);
    const server = await program.serve();
    // The server refuses the page's next request if it still answers after the last stream.
    const screen = await pages.open(server.url, { allow: [...allow, /status of 503 .*\/turns/] });
    await screen.ask('hello');
    await screen.untilAnswer('Half');
    const stopped = server.kill('SIGTERM');
    await expect.poll(server.output).toContain('Stopping: ');
    gate.resolve();
    await stopped;
    await program.serve();
    await screen.until('completed');
    expect(await screen.answer.innerText()).toBe('Half and whole.');
    expect(await screen.chat('and now?')).toBe('After.');
    expect(await program.stored(screen.conversationId())).toEqual({
      messages: ['user: hello', 'assistant: Half and whole.', 'user: and now?', 'assistant: After.'],
      statuses: ['completed', 'completed'],
      calls: [],
    });
  });
});

describe('an approval', () => {
  it('outlives a refresh and a restart, and is decided once for all tabs (case 21)', async () => {
    const program = await openProgram([call(['disks', {}]), call(['wipe', { disk: 'sda1' }]), say('Wiped.')]);
    const server = await program.serve();
    const screen = await pages.open(server.url, { allow });
    await screen.ask('wipe it');
    await screen.until('waiting');
    const card = screen.page.getByRole('region', { name: 'Allow wipe?' });
    const named = 'disk is “Photos of 2019”, says disks';
    expect(await card.innerText()).toMatch(new RegExp(`sda1[^]*${named}`));
    await screen.reload();
    await screen.until('waiting');
    expect(await card.innerText()).toMatch(new RegExp(`sda1[^]*${named}`));
    await server.kill('SIGKILL');
    await screen.page.locator('.line-state:not(.live)').waitFor();
    await program.serve();
    await screen.page.locator('.line-state.live').waitFor();
    await screen.until('waiting');
    expect(program.effects()).toEqual([]);
    const other = await pages.open(screen.page.url(), { beside: screen, allow });
    await other.until('waiting');
    await other.button('Allow once').click();
    for (const tab of [screen, other]) {
      await tab.until('completed');
      expect(await tab.answer.innerText()).toBe('Wiped.');
      expect(await tab.page.locator('.approval').count()).toBe(0);
    }
    expect(program.effects()).toEqual(['wipe sda1']);
    const { calls } = await program.stored(screen.conversationId());
    expect(calls).toMatchObject([
      { name: 'disks', state: 'completed' },
      { name: 'wipe', state: 'completed', sent_arguments: { disk: 'sda1' } },
    ]);
  });

  it('that two tabs decide at the same moment runs its tool once (case 21)', async () => {
    const program = await openProgram([call(['wipe', { disk: 'sda1' }]), say('Wiped.')]);
    const { url } = await program.serve();
    const one = await pages.open(url, { allow: [/status of 4(09|22)/] });
    await one.ask('wipe it');
    await one.until('waiting');
    const two = await pages.open(one.page.url(), { beside: one, allow: [/status of 4(09|22)/] });
    await two.until('waiting');
    const tabs = [one, two];
    // The card may be gone from one tab before its click: then the other tab was first.
    const allow = `[...document.querySelectorAll('.approval button')].find(({ innerText }) => innerText === 'Allow once')?.click()`;
    await Promise.all(tabs.map((tab) => tab.page.evaluate(allow)));
    for (const tab of tabs) await tab.until('completed');
    expect(await one.transcript()).toEqual(await two.transcript());
    expect(program.effects()).toEqual(['wipe sda1']);
  });

  it('that is denied runs nothing, and the agent reads the reason (case 22)', async () => {
    const program = await openProgram([call(['wipe', { disk: 'sda1' }]), say('I leave it.')]);
    const { url } = await program.serve();
    const screen = await pages.open(url);
    await screen.ask('wipe it');
    await screen.until('waiting');
    await screen.button('Deny').click();
    await screen.page.getByLabel('Reason (the agent reads it)').fill('the wrong disk');
    await screen.button('Deny').click();
    await screen.until('completed');
    expect(await screen.answer.innerText()).toBe('I leave it.');
    expect(program.effects()).toEqual([]);
    expect(JSON.stringify(program.model.requests.at(-1)?.body)).toContain('the wrong disk');
    const { calls } = await program.stored(screen.conversationId());
    expect(calls).toMatchObject([{ name: 'wipe', state: 'failed', error: { error_type: 'PermissionDenied' } }]);
    await screen.newest.locator('.card.failed').waitFor();
  });
});
