import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { ALICE, BOB, buildTool } from '../build.ts';
import { answered, openDomains } from '../domains/scene.ts';
import { serveRuntime } from '../server/server.ts';
import { call, say } from '../terminal/session.ts';
import { openPages, type Screen } from './pages.ts';
import { servePage, serveShipped } from './scene.ts';

const pages = openPages();

const FOREIGN = 'http://127.0.0.2:9';
const HOSTILE = [
  '<script>window.__x = 1</script>',
  `<img src="${FOREIGN}/raw.png" onerror="window.__x = 1">`,
  '<svg onload="window.__x = 1"></svg>',
  '<style>* { display: none }</style>',
  '<iframe src="javascript:parent.__x = 1"></iframe>',
  '<b onclick="window.__x = 1">bold</b>',
  `![picture](${FOREIGN}/markdown.png)`,
  '[click](javascript:window.__x=1)',
  '[data](data:text/html,<script>parent.__x=1</script>)',
].join(' ');

/** Nothing ran, and nothing became an element that could run or fetch. */
async function expectHarmless({ page }: Screen): Promise<void> {
  const found = await page.evaluate(`({
    ran: window.__x,
    elements: [...document.querySelectorAll('body script, img, iframe, style, object, embed, base, link, svg [onload], ' +
      '[onerror], [onload], [onclick], [style], a[href^="javascript:" i], a[href^="data:" i]')]
      .filter((element) => element.id !== 'boot' && !element.closest('head')).map((element) => element.outerHTML),
  })`);
  expect(found).toEqual({ elements: [] });
}

describe('hostile markup', () => {
  it('of the model, of a tool and of a title is text (case 35)', async () => {
    const echo = buildTool({ run: () => ({ html: HOSTILE, rows: [HOSTILE] }) });
    const replies = [call(['echo', { text: HOSTILE }]), say(HOSTILE, `\n\n| ${HOSTILE} |\n| --- |\n| ${HOSTILE} |\n`)];
    const { url } = await servePage({ replies, tools: [echo], agent: { description: HOSTILE, starters: [HOSTILE] } });
    const screen = await pages.open(url);
    await expectHarmless(screen);
    await screen.ask(HOSTILE);
    await screen.until('completed');
    await screen.cards.getByRole('button').first().click();
    await screen.cards.getByText('Result').waitFor();
    expect(await screen.answer.innerText()).toContain('<img src=');
    expect(await screen.answer.innerText()).toContain('[image: picture]');
    for (const name of ['click', 'data']) await screen.answer.getByText(name).first().click();
    await screen.page.locator('.item-title', { hasText: '<script>' }).waitFor();
    await expectHarmless(screen);
    await screen.reload();
    await screen.untilAnswer('<img src=');
    await expectHarmless(screen);
  });

  it('of a name of a file and of a task is text (case 35)', async () => {
    const { url } = await serveShipped(['todo']);
    const screen = await pages.open(url);
    const name = '<img src=x onerror=window.__x=1>\u202egpj.txt';
    await screen.page
      .locator('input[type=file]')
      .setInputFiles([{ name, mimeType: 'text/plain', buffer: Buffer.from(HOSTILE) }]);
    await screen.composer.fill(`add a task "check ${HOSTILE.slice(0, 31)}"`);
    await expectHarmless(screen);
    await screen.composer.press('Enter');
    await screen.until('completed');
    expect(await screen.newest.locator('.chip').first().innerText()).toContain('onerror=window.__x=1');
    expect(await screen.newest.innerText()).not.toContain('\u202e');
    await screen.chat('what do I need to do?');
    await expectHarmless(screen);
    for (const panel of ['Tasks', 'Ways', 'Trace']) {
      await screen.page.locator('.header').getByRole('button', { name: panel, exact: true }).click();
      await screen.page
        .locator('.side')
        .getByText(panel === 'Tasks' ? 'check' : panel)
        .first()
        .waitFor();
      await expectHarmless(screen);
    }
  });

  it('of a domain is text (case 35)', async () => {
    const rows = [{ '<img src=x onerror=window.__x=1>': HOSTILE, revenue: 1200 }];
    const answer = async () => answered(`Revenue is 1,200. ${HOSTILE}`, rows);
    const runtime = await openDomains([{ name: 'sales', capabilities: ['Orders and revenue'], answer }]);
    const { url } = await serveRuntime(runtime, { identify: async () => ALICE });
    const screen = await pages.open(url);
    expect(await screen.chat('How is revenue?')).toContain('<script>');
    await screen.cards.getByRole('button').first().click();
    await screen.newest.locator('button.figure').first().click();
    await screen.page.locator('.big-figure').waitFor();
    await expectHarmless(screen);
  });
});

describe('a text that is costly to read', () => {
  it.each([
    ['stars', `${'*'.repeat(100_000)} a`],
    ['quotes within each other', `${'>'.repeat(5_000)} a`],
  ])('of the model leaves the page usable: %s', async (_what, text) => {
    const { url } = await servePage({ replies: [say(text), say('Second.')] });
    const screen = await pages.open(url);
    await screen.ask('one');
    await screen.until('completed');
    expect(await screen.chat('two')).toContain('Second.');
    await screen.reload();
    await screen.untilAnswer('Second.');
    expect(await screen.page.getByText('This answer could not be drawn').count()).toBe(0);
  });
});

describe('another site', () => {
  it('can neither read, send nor take the name of this machine (case 37)', async () => {
    const { url, port, runtime } = await servePage({ replies: [say('Hello.')] });
    const site = createServer((_request, response) => response.setHeader('content-type', 'text/html').end('<p>x</p>'));
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void site.close());
    const { port: other } = site.address() as AddressInfo; // a listening TCP server has one
    const { page } = await pages.open(url, { allow: [/./] });
    await page.goto(`http://127.0.0.1:${other}/`);
    const tried = await page.evaluate(`Promise.all([
      fetch('${url}/sessions'),
      fetch('${url}/agent/helper/chat', { method: 'POST', body: '{"message":"hi"}', headers: { 'content-type': 'application/json' } }),
    ].map((request) => request.then((response) => response.status, () => 'refused')))`);
    expect(tried).toEqual(['refused', 'refused']);
    await page.evaluate(
      `fetch('${url}/agent/helper/chat', { method: 'POST', mode: 'no-cors', body: '{"message":"hi"}' }).catch(() => {})`,
    );
    expect(await runtime.listConversations(ALICE, { limit: 10 })).toEqual([]);
    const renamed = await page.goto(`http://evil.localhost:${port}/`);
    expect(renamed?.status()).toBe(421);
  });
});

/** A server with a token that can be withdrawn. */
async function serveTokens(replies = [say('Hello.')]) {
  const tokens = new Map([
    ['token-of-alice-5d81', ALICE],
    ['token-of-bob-77c2', BOB],
  ]);
  const identify = async (header: string | undefined) => {
    const user = tokens.get((header ?? '').replace('Bearer ', ''));
    if (!user) throw new AppError('unauthorized', { detail: 'The token is not valid.' });
    return user;
  };
  return { tokens, ...(await servePage({ replies, hasAuth: true, app: { identify } })) };
}

async function signIn(screen: Screen, token: string): Promise<void> {
  await screen.page.getByLabel('Token').fill(token);
  await screen.button('Sign in').click();
  await screen.composer.waitFor();
}

describe('a token', () => {
  const TOKEN = 'token-of-alice-5d81';
  const stores = `JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])`;

  it('is in no address and no log, and in no storage after the sign-out (case 38)', async () => {
    const { url, lines } = await serveTokens();
    const screen = await pages.open(url);
    const addresses: string[] = [];
    screen.page.on('request', (request) => addresses.push(request.url()));
    await signIn(screen, TOKEN);
    await screen.chat('hello');
    await screen.reload();
    await screen.untilAnswer('Hello.');
    expect(await screen.page.evaluate(stores)).toContain(TOKEN);
    await screen.button('Sign out').click();
    await screen.page.getByLabel('Token').waitFor();
    expect(await screen.page.evaluate(stores)).not.toContain(TOKEN);
    expect(await screen.page.content()).not.toContain('hello');
    expect(addresses.length).toBeGreaterThan(3);
    expect([...addresses, ...lines].filter((text) => text.includes(TOKEN))).toEqual([]);
  });

  it('that is handed in the fragment is taken out of the address (case 38)', async () => {
    const { url } = await serveTokens();
    const screen = await pages.open(`${url}/#token=${TOKEN}`);
    await screen.composer.waitFor();
    expect(screen.page.url()).not.toContain(TOKEN);
    await screen.chat('hello');
    await screen.page.goBack();
    expect(screen.page.url()).not.toContain(TOKEN);
  });

  it('of another user that a link brings replaces nobody without a question, and stays in no address', async () => {
    const { url } = await serveTokens([say('For Alice.'), say('For Bob.')]);
    const screen = await pages.open(`${url}/#token=${TOKEN}`);
    await screen.chat('a question of Alice');
    const question = screen.page.getByRole('group', { name: 'Sign in as someone else?' });
    await screen.page.goto(`${screen.page.url()}#token=token-of-bob-77c2`);
    await question.waitFor();
    expect(screen.page.url()).not.toContain('token');
    await screen.reload();
    await screen.untilAnswer('For Alice.');
    await screen.page.goto(`${screen.page.url()}#token=token-of-bob-77c2`);
    for (const { name, id } of [ALICE, BOB]) expect(await question.innerText()).toContain(name ?? id);
    await question.getByRole('button', { name: /^Stay / }).click();
    await screen.untilAnswer('For Alice.');
    expect(await screen.page.evaluate(stores)).not.toContain('bob');
    await screen.page.goto(`${url}/?again#token=token-of-bob-77c2`);
    await question.getByRole('button', { name: /^Sign in as / }).click();
    await screen.page.getByText('Your conversations appear here').waitFor();
    expect(await screen.page.content()).not.toContain('question of Alice');
    expect(await screen.chat('a question of Bob')).toBe('For Bob.');
    expect(await screen.page.evaluate(stores)).not.toContain(TOKEN);
  });

  it('that a link brings and the server refuses changes nothing', async () => {
    const { url } = await serveTokens();
    const screen = await pages.open(`${url}/#token=${TOKEN}`, { allow: [/status of 401/] });
    await screen.chat('hello');
    await screen.page.goto(`${screen.page.url()}#token=wrong`);
    await screen.page.getByText('The token of the link is not valid.').waitFor();
    await screen.untilAnswer('Hello.');
    await screen.reload();
    await screen.untilAnswer('Hello.');
  });

  it('that ends in mid-use is asked for again, and the conversation goes on (case 39)', async () => {
    const { url, tokens, stored } = await serveTokens([say('First.'), say('Second.')]);
    const screen = await pages.open(url, { allow: [/status of 401/] });
    await signIn(screen, TOKEN);
    await screen.chat('one');
    tokens.delete(TOKEN);
    await screen.composer.fill('two');
    await screen.composer.press('Enter');
    await screen.page.getByLabel('Token').waitFor();
    tokens.set('token-renewed-a1', ALICE);
    const read = Promise.withResolvers<void>();
    await screen.page.route('**/sessions/*?last=1', async (route) => {
      await read.promise;
      await route.continue();
    });
    await signIn(screen, 'token-renewed-a1');
    await screen.untilAnswer('First.');
    expect(await screen.composer.inputValue()).toBe('two');
    // The message is sent although the page is still reading the conversation.
    await screen.composer.press('Enter');
    await screen.untilAnswer('Second.');
    read.resolve();
    await screen.until('completed');
    const { messages } = await stored(screen.conversationId());
    expect(messages).toEqual(['user: one', 'assistant: First.', 'user: two', 'assistant: Second.']);
    expect(await screen.transcript()).toEqual(messages);
  });

  it('of another user shows only the own conversations (case 40)', async () => {
    const { url } = await serveTokens([say('For Alice.'), say('For Bob.')]);
    const alice = await pages.open(url);
    await signIn(alice, TOKEN);
    await alice.chat('a secret of Alice');
    const bob = await pages.open(url, { allow: [/status of 404/] });
    await signIn(bob, 'token-of-bob-77c2');
    await bob.page.getByText('Your conversations appear here').waitFor();
    await bob.chat('a secret of Bob');
    await bob.page.locator('.item-title', { hasText: 'Bob' }).waitFor();
    expect(await bob.page.locator('.item-title').allInnerTexts()).toEqual(['a secret of Bob']);
    await expect.poll(() => alice.page.locator('.item-title').allInnerTexts()).toEqual(['a secret of Alice']);
    await bob.page.goto(`${url}/?c=${alice.conversationId()}`);
    await bob.page.getByRole('heading', { name: 'This conversation does not exist' }).waitFor();
    expect(await bob.page.content()).not.toContain('secret of Alice');
  });
});
