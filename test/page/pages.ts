import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterEach, beforeAll, expect } from 'vitest';
import { launchBrowser } from './browser.ts';
import { createScreen, type Screen } from './screen.ts';

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
