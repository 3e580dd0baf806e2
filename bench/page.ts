import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { createRuntime, type Runtime } from '../src/runtime/runtime.ts';
import { createApp } from '../src/server/app.ts';
import { ALICE, buildAgent } from '../test/build.ts';
import { EVENT_STREAM, type FakeReply, startModelServer, writeEvents } from '../test/fakes/model-server.ts';
import { launchBrowser } from '../test/page/browser.ts';
import { fillConversation } from '../test/page/scene.ts';

/**
 * Measures the promises of the web page in a real browser, with a blank page as floor: `npm run bench -- page`.
 * The model and the server run in this process.
 */

const TOKENS = 5_000;
const TURNS = 500;
const STARTS = 5;
const ANSWER = 'A **short** answer with `code`.\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n';

const folder = mkdtempSync(join(tmpdir(), 'holodeck-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

function row(what: string, measured: string, goal: string, isKept: boolean): void {
  if (!isKept) process.exitCode = 1;
  console.log(`${what.padEnd(44)} ${measured.padEnd(58)} ${goal.padEnd(22)} ${isKept ? 'kept' : 'BROKEN'}`);
}

/** Words, tables, lists and code, a token at a time, ten tokens every few milliseconds. */
const streamTokens: FakeReply = async (response) => {
  const part =
    'Some plain words of an answer with **bold** ones.\n\n- first\n- second\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nconst x = 1;\n```\n\n';
  const pieces = part.match(/\s*\S+\s?/g) ?? [];
  response.writeHead(200, EVENT_STREAM);
  for (let token = 0; token < TOKENS; token++) {
    const content = pieces[token % pieces.length];
    response.write(writeEvents({ choices: [{ index: 0, delta: { content } }] }));
    if (token % 10 === 9) await sleep(4);
  }
  response.end(writeEvents({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }, '[DONE]'));
};

const answerShortly: FakeReply = (response) => {
  response.writeHead(200, EVENT_STREAM);
  response.end(writeEvents({ choices: [{ index: 0, delta: { content: ANSWER }, finish_reason: 'stop' }] }, '[DONE]'));
};

async function serve(runtime: Runtime) {
  const stopping = new AbortController();
  const [agent] = runtime.agents;
  if (!agent) throw new Error('The bench has no agent.');
  const app = createApp({
    runtime,
    server: agent.server,
    state: () => 'running',
    identify: async () => ALICE,
    log: { write: () => {} },
    stopping: stopping.signal,
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo; // a listening TCP server has one
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      stopping.abort();
      app.server.closeAllConnections();
      await app.close();
    },
  };
}

interface TraceEvent {
  name: string;
  tid: number;
  pid: number;
  /** Duration and its share of CPU, in microseconds. */
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

/**
 * CPU time of the page's main thread while `work` runs: all of it, and that of the longest task. CPU time leaves out the
 * time in which a busy machine did something else.
 */
async function measure(browser: Browser, page: Page, work: () => Promise<unknown>) {
  await browser.startTracing(page, {
    categories: ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline'],
  });
  const start = performance.now();
  await work();
  const wallMs = performance.now() - start;
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const mains = traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain');
  const tasks = traceEvents.filter(
    ({ name, pid, tid }) => name === 'RunTask' && mains.some((main) => main.pid === pid && main.tid === tid),
  );
  const times = tasks.map(({ tdur = 0 }) => tdur / 1000);
  return {
    cpuMs: times.reduce((sum, ms) => sum + ms, 0),
    longestMs: Math.max(0, ...times),
    longestWallMs: Math.max(0, ...tasks.map(({ dur = 0 }) => dur / 1000)),
    wallMs,
  };
}

/** Milliseconds until something of the page can be used, in a browser without a cache. */
async function measureReady(browser: Browser, url: string, selector: string): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < STARTS; run++) {
    const context = await browser.newContext();
    const page = await context.newPage();
    const start = performance.now();
    await page.goto(url);
    await page.locator(selector).waitFor();
    times.push(performance.now() - start);
    await context.close();
  }
  return times.toSorted((a, b) => a - b)[Math.floor(STARTS / 2)] ?? 0;
}

async function measureStream(browser: Browser, url: string): Promise<void> {
  const page = await browser.newPage();
  await page.goto(url);
  const field = page.getByRole('textbox', { name: 'Message', exact: true });
  const streamed = await measure(browser, page, async () => {
    await field.fill('write a lot');
    await field.press('Enter');
    await page.locator('.turn[data-status=completed]').waitFor({ timeout: 120_000 });
  });
  const { cpuMs, longestMs, longestWallMs, wallMs } = streamed;
  row(`${TOKENS} tokens`, `${cpuMs.toFixed(0)} ms CPU in ${wallMs.toFixed(0)} ms`, '<= 1500 ms CPU', cpuMs <= 1500);
  row(
    '  longest task',
    `${longestMs.toFixed(0)} ms CPU (${longestWallMs.toFixed(0)} ms by the clock)`,
    '<= 100 ms CPU',
    longestMs <= 100,
  );
  await page.close();
}

async function measureLong(browser: Browser, runtime: Runtime, url: string): Promise<void> {
  const id = await fillConversation(runtime, TURNS);
  const page = await browser.newPage();
  await page.goto(`${url}/?c=${id}`);
  await page.locator('.turn').first().waitFor();
  // The log reads its earlier messages when its top comes into view.
  const scrollToTop = `new Promise((done) => {
    const log = document.querySelector('.log');
    const turns = document.getElementsByClassName('turn');
    const timer = setInterval(() => {
      if (turns.length >= ${TURNS}) done(clearInterval(timer));
      else if (document.querySelector('.earlier:enabled')) log.scrollTop = 0;
    }, 50);
  })`;
  const shown = await measure(browser, page, () => page.evaluate(scrollToTop));
  row(
    `${TURNS * 2} messages on screen`,
    `${shown.cpuMs.toFixed(0)} ms CPU, longest task ${shown.longestMs.toFixed(0)} ms CPU`,
    '<= 1000 ms CPU',
    shown.cpuMs <= 1000,
  );
  await page.close();
}

await using model = await startModelServer([streamTokens, answerShortly]);
const agent = buildAgent({ model: { provider: 'openai_compatible', name: 'fake', endpoint: `${model.url}/v1` } });
const runtime = await createRuntime({ agents: [agent], folder, sources: [] });
const { url, close } = await serve(runtime);
const browser = await launchBrowser();
try {
  const floor = await measureReady(browser, 'data:text/html,<main>blank</main>', 'main');
  const ready = await measureReady(browser, url, 'textarea');
  row(
    'ready (blank page)',
    `${ready.toFixed(0)} ms (${floor.toFixed(0)} ms), ${(ready / floor).toFixed(1)} times`,
    '< 1000 ms',
    ready < 1000,
  );
  await measureStream(browser, url);
  await measureLong(browser, runtime, url);
} finally {
  await browser.close();
  await close();
  await runtime.stop();
}
