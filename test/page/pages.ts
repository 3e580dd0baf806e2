import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, expect } from 'vitest';
import { launchBrowser } from './browser.ts';

const TIMEOUT_MS = 25_000;
/** Code for the page is text: the types of a browser would replace those of Node in all sources. */
const REPORT_VIOLATIONS = `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
  console.error('content policy: ' + [violatedDirective, blockedURI, sample].join(' ')))`;

interface OpenOptions extends BrowserContextOptions {
  /** Another tab of the same person: the context of an open page. */
  beside?: Screen;
  /** Console errors that the test provokes, such as those of a refused request. */
  allow?: readonly RegExp[];
  /** JavaScript that runs in the page before its own. */
  before?: string;
}

export interface Pages {
  /** Opens an address in a context of its own, and waits until the page is drawn. */
  open(url: string, options?: OpenOptions): Promise<Screen>;
  /** Returns the problems so far and forgives them. */
  takeProblems(): string[];
}

/** The files of a worker share it. It ends with the worker, whose pipe it reads. */
let shared: Browser | undefined;

/**
 * Opens a browser, and a fresh context for each test. A test fails if one of its pages writes an error to the
 * console, breaks the content policy, throws, or sends a request to another host (case 36).
 */
export function openPages(): Pages {
  let browser: Browser | undefined;
  const contexts = new Set<BrowserContext>();
  const problems: string[] = [];
  beforeAll(async () => {
    if (!shared?.isConnected()) shared = await launchBrowser();
    browser = shared;
  });
  afterEach(async () => {
    const found = problems.splice(0);
    await Promise.all([...contexts].map((context) => context.close()));
    contexts.clear();
    // A page that is being closed may still report its broken requests.
    problems.length = 0;
    expect(found, 'console errors, policy violations and requests to other hosts').toEqual([]);
  });
  return {
    async open(url, { beside, allow = [], before, ...options } = {}) {
      if (!browser) throw new Error('The browser is not open yet.');
      const context = beside?.page.context() ?? (await browser.newContext(options));
      contexts.add(context);
      const page = await context.newPage();
      page.setDefaultTimeout(TIMEOUT_MS);
      watch(page, new URL(url).host, (problem) => {
        if (!allow.some((pattern) => pattern.test(problem))) problems.push(problem);
      });
      await page.addInitScript(REPORT_VIOLATIONS);
      if (before) await page.addInitScript(before);
      await page.goto(url);
      await page.locator('main:not([aria-busy=true])').waitFor();
      return createScreen(page);
    },
    takeProblems: () => problems.splice(0),
  };
}

function watch(page: Page, host: string, report: (problem: string) => void): void {
  page.on('console', (message) => {
    if (message.type() === 'error') report(`console: ${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => report(`thrown: ${error.stack ?? error.message}`));
  page.on('request', (request) => {
    const { protocol, host: asked } = new URL(request.url());
    if (!['data:', 'blob:'].includes(protocol) && asked !== host) report(`foreign request: ${request.url()}`);
  });
}

/** The page as a person sees it. */
export interface Screen {
  readonly page: Page;
  /** The conversation. */
  readonly log: Locator;
  /** The field for a message. */
  readonly composer: Locator;
  readonly turns: Locator;
  /** The newest question with its answer. */
  readonly newest: Locator;
  /** The text of the newest answer. */
  readonly answer: Locator;
  /** Tool calls of the newest turn. */
  readonly cards: Locator;
  button(name: string | RegExp): Locator;
  /** Writes a message and sends it by Enter. */
  ask(text: string): Promise<void>;
  /** Opens a new conversation and waits until nothing of the last one is shown. */
  newConversation(): Promise<void>;
  /** Waits until the newest turn has this status. */
  until(status: string): Promise<void>;
  /** Waits until the newest answer holds this text, and returns all of it. */
  untilAnswer(text: string): Promise<string>;
  /** Asks and waits for the whole answer. */
  chat(text: string): Promise<string>;
  /** Questions and last texts of all turns, as `user: …` and `assistant: …`. */
  transcript(): Promise<string[]>;
  /** Id of the conversation in the address; undefined for a new one. */
  conversationId(): string | undefined;
  reload(): Promise<void>;
}

function createScreen(page: Page): Screen {
  const log = page.getByRole('log');
  const turns = page.locator('article.turn');
  const newest = turns.last();
  const composer = page.getByRole('textbox', { name: 'Message', exact: true });
  const answer = newest.locator('.markdown').last();
  const statusOf = async () => ((await turns.count()) > 0 ? newest.getAttribute('data-status') : undefined);
  const screen: Screen = {
    page,
    log,
    composer,
    turns,
    newest,
    answer,
    cards: newest.locator('.card'),
    button: (name) => page.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) }),
    async ask(text) {
      const before = await turns.count();
      await composer.fill(text);
      await composer.press('Enter');
      await turns.nth(before).waitFor();
    },
    async newConversation() {
      await screen.button('New conversation').click();
      await expect.poll(() => turns.count()).toBe(0);
    },
    async until(status) {
      await expect.poll(statusOf).toBe(status);
      await expect.poll(() => newest.locator('.markdown[aria-busy]').count()).toBe(0);
    },
    async untilAnswer(text) {
      await answer.filter({ hasText: text }).waitFor();
      return answer.innerText();
    },
    async chat(text) {
      await screen.ask(text);
      await screen.until('completed');
      return answer.innerText();
    },
    async transcript() {
      const all = await turns.all();
      const texts = all.map(async (turn) => [
        `user: ${await turn.locator('.question p').innerText()}`,
        ...(await turn.locator('.markdown').allInnerTexts()).slice(-1).map((text) => `assistant: ${text}`),
      ]);
      return (await Promise.all(texts)).flat();
    },
    conversationId: () => new URL(page.url()).searchParams.get('c') ?? undefined,
    async reload() {
      await page.reload();
      await page.locator('main:not([aria-busy=true])').waitFor();
    },
  };
  return screen;
}
