import { describe, expect, it } from 'vitest';
import { ALICE, buildTool } from '../build.ts';
import { call, say } from '../terminal/session.ts';
import { askOnce } from './fill.ts';
import { openPages } from './pages.ts';
import { servePage } from './scene.ts';

const pages = openPages();

/** A data folder with a conversation of `support`, at a server that has only `helper`. */
async function serveHelper(replies = [say('From support.')]) {
  const tools = [buildTool({ name: 'wipe', needsApproval: true })];
  const support = await servePage({ replies, tools, agent: { name: 'support' } });
  const id = await askOnce(support.runtime, 'a question for support');
  const helper = await servePage({ replies: [say('From helper.')], folder: support.folder });
  return { id, ...helper };
}

describe('a conversation of an agent that is not served', () => {
  it('can be read and names the way to serve its agent; no message goes to another agent', async () => {
    const { url, id, model, runtime } = await serveHelper();
    const screen = await pages.open(url);
    await screen.page.locator('.item', { hasText: 'support' }).locator('.item-open').click();
    await screen.untilAnswer('From support.');
    const notice = screen.page.getByRole('note');
    expect(await notice.innerText()).toContain('support is not served here');
    expect(await notice.innerText()).toContain('holodeck serve');
    expect(await screen.page.locator('.agent-name').innerText()).toBe('support');
    const absent = [screen.composer, screen.button('Edit'), screen.button('Retry'), screen.button('Branch from here')];
    expect(await Promise.all(absent.map((locator) => locator.count()))).toEqual([0, 0, 0, 0]);
    await screen.newConversation();
    expect(await screen.page.locator('.agent-name').innerText()).toBe('helper');
    expect(await screen.chat('hello')).toBe('From helper.');
    await screen.page.goto(`${url}/?agent=helper&c=${id}`);
    await screen.untilAnswer('From support.');
    await notice.waitFor();
    expect([await screen.composer.count(), model.requests.length]).toEqual([0, 1]);
    const agents = (await runtime.listConversations(ALICE, { limit: 10 })).map(({ agent }) => agent);
    expect(agents.toSorted()).toEqual(['helper', 'support']);
  });

  it('that waits for a decision shows no buttons for it', async () => {
    const { url, id } = await serveHelper([call(['wipe', { text: 'x' }])]);
    const screen = await pages.open(`${url}/?c=${id}`);
    await screen.until('waiting');
    await screen.page.getByRole('note').waitFor();
    expect(await screen.page.getByRole('button', { name: /Allow|Deny/ }).count()).toBe(0);
  });
});
