import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pick } from '../long.ts';
import { databaseOfFile } from '../postgres/database.ts';
import { get, send, sendUntilAnswered } from './client.ts';
import { openServers, type Server, type Servers, untilReady } from './servers.ts';
import { FRONTS, type TurnAnswer } from './torture/fronts.ts';

const MANY = pick(60, 200);
const database = databaseOfFile();
let servers: Servers;
let a: Server;
let b: Server;
let token: string;

beforeAll(async () => {
  servers = await openServers({ database: database.url });
  [a, b] = await Promise.all([servers.start(), servers.start()]);
  token = await servers.tokenOf('ann');
}, 120_000);
afterAll(() => servers.close());

interface Turns {
  turns: { id: string; status: string; attempt: number; answer?: { content: string } }[];
}

/** The calls that ran under these ids. The tests run at once, and each one counts its own. */
const effectsOf = (id: string) => servers.effects().filter((effect) => effect.startsWith(id));
const readTurns = (server: Server, session: string) => get<Turns>(server.url, `/sessions/${session}/turns`, token);
const words = (count: number) => Array.from({ length: count }, (_, place) => `word${place}`).join(' ');

/** Starts a slow turn at a server and returns the ids from its first event. */
async function startSlow(server: Server, message: string, key: string) {
  const response = await send(server.url, message, { token, key }, 'text/event-stream');
  expect(response.status).toBe(200);
  const reader = response.body?.getReader();
  if (!reader) throw new Error('no body');
  let text = '';
  const decoder = new TextDecoder();
  while (!/session_id/.test(text)) text += decoder.decode((await reader.read()).value);
  const session = /"session_id":\s*"([0-9A-Z]{26})"/.exec(text)?.[1] ?? '';
  const rest = async () => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text;
      text += decoder.decode(value);
    }
  };
  return { session, rest };
}

describe.concurrent('two servers on one database', () => {
  it('answer a conversation in turns, and both know it', async () => {
    const first = await sendUntilAnswered(() => a.url, 'count pair1', { token, key: 'k1' });
    const second = await send(b.url, 'count pair2', { token, key: 'k2', session: first.session_id });
    expect(second.status).toBe(200);
    expect((await readTurns(a, first.session_id)).turns.map(({ status }) => status)).toEqual([
      'completed',
      'completed',
    ]);
    expect(effectsOf('pair').sort()).toEqual(['pair1', 'pair2']);
  });

  it('join the turn of a key, follow it and refuse a second message while the other one runs it', async () => {
    const { session, rest } = await startSlow(a, 'slow 30', 'k3');
    const joined = send(b.url, 'slow 30', { token, key: 'k3' });
    const other = await send(b.url, 'hello', { token, session });
    expect([other.status, ((await other.json()) as { code: string }).code]).toEqual([409, 'turn_running']);
    const answer = await joined;
    expect(answer.status).toBe(200);
    expect(((await answer.json()) as { content: string }).content.trim()).toBe(words(30));
    expect(await rest()).toContain('word29');
    expect((await readTurns(b, session)).turns).toMatchObject([{ status: 'completed', attempt: 1 }]);
  });

  it('send a follower the text of a turn that the other one runs before it ends', async () => {
    const { session, rest } = await startSlow(a, 'slow 40', 'k4');
    const followed = await fetch(`${b.url}/sessions/${session}/events`, {
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' },
    });
    let isOver = false;
    const over = rest().then(() => {
      isOver = true;
    });
    let text = '';
    let wasEarly = false;
    const decoder = new TextDecoder();
    for await (const piece of followed.body ?? []) {
      text += decoder.decode(piece);
      if (text.includes('word10') && !isOver) wasEarly = true;
    }
    await over;
    expect(wasEarly).toBe(true);
    const said = [...text.matchAll(/"(?:text|content|delta)":"(word\d+ )"/g)].map(([, word]) => word?.trim());
    expect(new Set(said).size).toBe(said.length);
    for (const word of words(40).split(' ')) expect(text).toContain(word);
  });

  it('cancel a turn that the other one runs', async () => {
    const { session, rest } = await startSlow(a, 'slow 200', 'k5');
    const stopped = await fetch(`${b.url}/sessions/${session}/cancel`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
    expect(stopped.status).toBeLessThan(300);
    await rest();
    expect((await readTurns(b, session)).turns).toMatchObject([{ status: 'cancelled' }]);
  });

  it('continue a turn of a killed one by itself, and run no call twice', async ({ expect }) => {
    const doomed = await servers.start();
    const { session } = await startSlow(doomed, 'slow 60', 'k6');
    await doomed.kill();
    const killedAt = performance.now();
    await expect
      .poll(async () => (await readTurns(b, session)).turns[0]?.attempt, { timeout: 30_000, interval: 200 })
      .toBe(2);
    const tookMs = performance.now() - killedAt;
    console.log(`taken over after ${(tookMs / 1000).toFixed(1)} s`);
    const answer = await sendUntilAnswered(() => b.url, 'slow 60', { token, key: 'k6' });
    expect(answer.content.trim()).toBe(words(60));
  });

  it(`answer all of ${MANY} streamed conversations when one is killed, and count each once`, async ({ expect }) => {
    const doomed = await servers.start();
    const urls = [doomed.url, b.url];
    const ids = Array.from({ length: MANY }, (_, index) => `many${index}`);
    const answers = ids.map((id, index) => streamUntilAnswered(urls, index, id));
    await expect.poll(() => effectsOf('many').length, { timeout: 60_000, interval: 20 }).toBeGreaterThan(MANY * 0.75);
    await doomed.kill();
    const done = await Promise.all(answers);
    const counted = effectsOf('many');
    expect(new Set(counted).size, 'a call ran twice').toBe(counted.length);
    expect(done.filter(({ content }, index) => content.endsWith(`Done many${index}.`))).toHaveLength(MANY);
  }, 180_000);
});

/** Repeats a key over the streaming route, each time at the next server, until it has the whole answer. */
async function streamUntilAnswered(urls: readonly string[], first: number, key: string): Promise<TurnAnswer> {
  const until = performance.now() + 120_000;
  let last = '';
  for (let tries = first; performance.now() < until; tries++) {
    const call = { url: urls[tries % urls.length] ?? '', token, key, message: `count ${key} 40`, place: undefined };
    const answer = await FRONTS.stream({ ...call, timeoutMs: 60_000 }).catch((error: unknown) => String(error));
    if (typeof answer !== 'string' && answer.status === 'completed') return answer;
    last = typeof answer === 'string' ? answer : answer.status;
    await delay(150);
  }
  throw new Error(`${key} was not answered; last: ${last}`);
}

/** The runner of each turn of a conversation. */
async function readRunners(session: string) {
  const { turns } = await readTurns(b, session);
  const stored = await database.run('SELECT id, runner_id FROM turns');
  return turns.map(({ id }) => stored.find((row) => row.id === id)?.runner_id);
}

describe.concurrent('a server that is stopped for longer than its lease', () => {
  it('ends the stream of its turn with a typed error, starts anew, and runs no call again', async ({ expect }) => {
    const stopped = await servers.start();
    const { session, rest } = await startSlow(stopped, 'count stopped 120', 'k7');
    await expect.poll(() => effectsOf('stopped')).toEqual(['stopped']);
    const [first] = await readRunners(session);
    stopped.child.kill('SIGSTOP');
    const attempt = async () => (await readTurns(b, session)).turns[0]?.attempt;
    await expect.poll(attempt, { timeout: 40_000, interval: 200 }).toBe(2);
    stopped.child.kill('SIGCONT');
    const text = await rest();
    expect(text).toMatch(/event: error\ndata: .*"code":"turn_(taken_over|interrupted)"/);
    expect(text).not.toContain('Done stopped.');
    const answer = await sendUntilAnswered(() => b.url, 'count stopped 120', { token, key: 'k7' });
    expect(answer.content).toMatch(/Done stopped\.$/);
    expect(effectsOf('stopped')).toEqual(['stopped']);
    await untilReady(stopped);
    const again = await send(stopped.url, 'count stopped-anew', { token, key: 'k8', session });
    expect(again.status).toBe(200);
    expect(effectsOf('stopped')).toEqual(['stopped', 'stopped-anew']);
    // The id that it had is gone or over, and its new one is valid.
    const valid = (await database.run('SELECT id FROM runners WHERE expires_at > now()')).map(({ id }) => id);
    expect(valid).not.toContain(first);
    expect(valid).toContain((await readRunners(session)).at(-1));
  }, 120_000);
});
