import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadAgent } from '../src/config/load-agent.ts';
import { createRuntime } from '../src/runtime/runtime.ts';
import { timeLimits } from '../src/schema/model-limits.ts';
import { ALICE } from './build.ts';
import { createFastClock } from './fakes/fast-clock.ts';
import { EVENT_STREAM, type FakeReply, startModelServer, writeEvents } from './fakes/model-server.ts';
import { collect, temporaryFolder } from './runtime.ts';

/** Provider and server share a clock that runs forty times as fast: 120 s take three. */
const clock = createFastClock(40);

async function agentWith(text: string) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'agent.yaml'), `name: helper\ninstructions: Help.\n${text}\n`);
  return loadAgent(folder, { env: { KEY: 'k' }, cwd: folder });
}

const word = (content: string) => writeEvents({ choices: [{ delta: { content } }] });
const end = writeEvents({ choices: [{ delta: {}, finish_reason: 'stop' }] }, '[DONE]');
const pause = (ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve));

/** A model that is silent before its headers, and once more in the middle of its text. */
const slow =
  ({ first = 0, middle = 0 }): FakeReply =>
  async (response) => {
    await pause(first);
    response.writeHead(200, EVENT_STREAM).write(word('Hello '));
    await pause(middle);
    response.end(word('there.') + end);
  };

async function ask(reply: FakeReply, { model = '', more = '' } = {}) {
  const server = await startModelServer([reply]);
  onTestFinished(() => server[Symbol.asyncDispose]());
  const text = `model: { provider: openai_compatible, name: m, endpoint: "${server.url}", ${model} }\n${more}`;
  const authors: unknown[] = [];
  const runtime = await createRuntime({
    agents: [await agentWith(text)],
    folder: temporaryFolder(),
    clock,
    log: (_, { author }) => authors.push(author),
  });
  onTestFinished(() => runtime.stop());
  const last = (await collect(await runtime.chat(ALICE, { agent: 'helper', message: 'Hi' }))).at(-1);
  if (last?.type !== 'turn-end') throw new Error('no end');
  return { result: last.result, requests: server.requests.length, authors };
}

describe('a model that is slow, with timeout_seconds: 120', () => {
  it.each([
    ['is silent for 45 s before its first byte', { first: 45_000 }],
    ['pauses for 60 s in the middle', { middle: 60_000 }],
  ])('%s: answers, asked once', async (_, silence) => {
    const { result, requests } = await ask(slow(silence), { model: 'timeout_seconds: 120' });
    expect(result).toMatchObject({ status: 'completed', content: 'Hello there.' });
    expect(requests).toBe(1);
  });
});

describe('a model on this machine that sets nothing', () => {
  it('may load for longer than a minute', async () => {
    expect((await ask(slow({ first: 70_000 }))).result.content).toBe('Hello there.');
  });
});

describe('a model that used up its time', () => {
  const never: FakeReply = () => {};

  it('is not asked again without time for another whole attempt, and the author reads the setting', async () => {
    const { result, requests, authors } = await ask(never, { model: 'timeout_seconds: 20' });
    expect(result.error).toMatchObject({ code: 'model_timeout' });
    expect(result.error?.message).not.toContain('timeout_seconds');
    expect(requests).toBe(1);
    expect(authors).toContain(
      'openai_compatible m did not start to answer within 20 s. If it needs longer, raise model.timeout_seconds (and the limits of loop that the file sets).',
    );
  });

  it('is asked once more when there is time', async () => {
    const { requests } = await ask(never, {
      model: 'timeout_seconds: 10',
      more: 'loop: { iteration_timeout_seconds: 55 }',
    });
    expect(requests).toBe(2);
  });

  it('is named with its setting also where the loop ends it first', async () => {
    const { authors } = await ask(slow({ middle: 50_000 }), { model: 'timeout_seconds: 30' });
    expect(authors).toContainEqual(expect.stringContaining('did not finish its reply within 30 s'));
    expect(authors).toContainEqual(expect.stringContaining('raise model.timeout_seconds'));
  });
});

describe('the time limits of an agent.yaml', () => {
  const openai = `provider: openai, name: m, api_key: "\${KEY}"`;
  const compatible = 'provider: openai_compatible, name: m';

  it.each([
    ['', [30, 30, 60]],
    [`model: { ${openai} }`, [30, 30, 60]],
    [`model: { ${openai}, timeout_seconds: 10 }`, [10, 30, 60]],
    [`model: { ${openai}, timeout_seconds: 120 }`, [120, 120, 150]],
    [`model: { ${openai}, timeout_seconds: 120 }\nloop: { answer_timeout_seconds: 70 }`, [120, 120, 70]],
    [`model: { ${openai}, timeout_seconds: 120 }\nloop: { iteration_timeout_seconds: 40 }`, [120, 40, 150]],
    ['model: { provider: ollama, name: m }', [300, 300, 330]],
    ['model: { provider: ollama, name: m, timeout_seconds: 20 }', [20, 30, 60]],
    [`model: { ${compatible}, endpoint: "http://localhost:1234/v1" }`, [300, 300, 330]],
    [`model: { ${compatible}, endpoint: "http://[::1]:1234/v1" }`, [300, 300, 330]],
    [`model: { ${compatible}, endpoint: "https://api.example.com/v1" }`, [30, 30, 60]],
    [`model: { ${openai}, fallback: { provider: ollama, name: m } }`, [30, 300, 330]],
  ])('%s', async (text, expected) => {
    const limits = timeLimits(await agentWith(text));
    expect([limits.attempt, limits.iteration, limits.answer]).toEqual(expected);
    expect(limits.tool).toBe(50);
  });
});
