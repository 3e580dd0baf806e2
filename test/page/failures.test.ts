import { describe, expect, it } from 'vitest';
import { ALICE } from '../build.ts';
import { sendStatus } from '../fakes/model-server.ts';
import { say } from '../terminal/session.ts';
import { openPages } from './pages.ts';
import { servePage } from './scene.ts';

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
