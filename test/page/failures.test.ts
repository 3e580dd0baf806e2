import { describe, expect, it } from 'vitest';
import { ALICE, buildTool } from '../build.ts';
import { sendStatus } from '../fakes/model-server.ts';
import { call, say } from '../terminal/session.ts';
import { openPages } from './pages.ts';
import { askOnce, servePage } from './scene.ts';

const pages = openPages();

const SENTENCE = 'Incorrect API key provided. You can find yours at the dashboard.';
const REFUSED = sendStatus(401, JSON.stringify({ error: { message: SENTENCE } }), {
  'content-type': 'application/json',
});
const BUSY = sendStatus(503, '{}', { 'retry-after': '1' });

describe('a model that fails', () => {
  it('is named with its status, its own words and the remedy on your own machine, also after a refresh', async () => {
    const { url, model } = await servePage({ replies: [REFUSED] });
    const screen = await pages.open(url);
    await screen.ask('hello');
    await screen.until('error');
    const problem = screen.newest.getByRole('group', { name: 'The answer failed' });
    for (const part of [new URL(model.url).host, '401', SENTENCE]) await problem.getByText(part).waitFor();
    await screen.reload();
    await problem.getByText(SENTENCE).waitFor();
  });

  it('is not described to users of a server with sign-in', async () => {
    const { url, call } = await servePage({ replies: [REFUSED], hasAuth: true, app: { identify: async () => ALICE } });
    const screen = await pages.open(`${url}/#token=alice`);
    await screen.ask('hello');
    await screen.until('error');
    await screen.reload();
    await screen.until('error');
    expect(await screen.page.content()).not.toContain('dashboard');
    const id = screen.conversationId();
    for (const path of [`/sessions/${id}/turns`, `/sessions/${id}`, `/sessions/${id}/export?format=json`])
      expect(await (await call(`GET ${path}`)).text(), path).not.toContain('dashboard');
    expect(await (await call(`GET /sessions/${id}/events`)).text()).not.toContain('dashboard');
  });

  it('is asked again by one button', async () => {
    const { url } = await servePage({ replies: [REFUSED, say('Better.')] });
    const screen = await pages.open(url);
    await screen.ask('hello');
    await screen.until('error');
    await screen.button('Retry').waitFor();
    expect(await screen.newest.getByRole('button', { name: /^(?:Retry|Try again)$/ }).count()).toBe(1);
    await screen.button('Retry').click();
    await screen.untilAnswer('Better.');
  });

  it('is asked again by itself, and the page says so meanwhile', async () => {
    const gate = Promise.withResolvers<void>();
    const { url } = await servePage({ replies: [BUSY, say(gate.promise, 'Better.')] });
    const screen = await pages.open(url);
    await screen.ask('hello');
    await screen.newest.getByText(/again in 1 s/).waitFor();
    gate.resolve();
    await screen.untilAnswer('Better.');
    await screen.until('completed');
  });
});

describe('unserved', () => {
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
      const absent = [
        screen.composer,
        screen.button('Edit'),
        screen.button('Retry'),
        screen.button('Branch from here'),
      ];
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
});
