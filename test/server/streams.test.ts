import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { createRuntime } from '../../src/runtime/runtime.ts';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';
import { buildAgent } from '../build.ts';
import { temporaryFolder } from '../runtime.ts';
import { openServer, readAnswer, readFrames, serveRuntime, streamFrames } from './server.ts';

const STREAM = 'POST /agent/helper/chat/stream';
const CHAT = 'POST /agent/helper/chat';
const body = { message: 'hello' };
const ENDS = ['stream_end', 'error', 'RUN_FINISHED', 'RUN_ERROR'];

/** A text file as an AG-UI part. */
function textFile(text: string) {
  const value = Buffer.from(text).toString('base64');
  return { type: 'document', source: { type: 'data', mimeType: 'text/plain', value } };
}

describe('a slow reader', () => {
  it('is dropped when it reads nothing, and the turn that it asked to keep continues', async () => {
    const text = Array.from({ length: 400 }, () => 'x'.repeat(50_000));
    const replies = [{ text }];
    const agent = { limits: { reply_chars: 10_000_000 } };
    const { port, call, lines } = await openServer({ replies, agent, app: { timing: { stallMs: 200 } } });
    const socket = connect(port, '127.0.0.1');
    const json = JSON.stringify(body);
    socket.write(
      `POST /agent/helper/chat/stream HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer alice\r\nprefer: respond-async\r\naccept: text/event-stream\r\ncontent-type: application/json\r\ncontent-length: ${json.length}\r\n\r\n${json}`,
    );
    socket.pause();
    socket.on('error', () => {});
    const sessions = async () => (await readAnswer(await call('GET /sessions'))).sessions;
    await expect.poll(sessions, { timeout: 10_000 }).toMatchObject([{ message_count: 2 }]);
    await expect.poll(() => lines.join(''), { timeout: 10_000 }).toContain('"client_gone":true');
    socket.destroy();
  });
});

describe('a client that leaves', () => {
  it('stops its turn also when it left before the turn had begun', async () => {
    const { runtime, model, port, lines } = await openServer({ replies: [{ text: 'x', hang: true }] });
    const begun = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const chat = runtime.chat;
    runtime.chat = async (...args) => {
      const turn = await chat(...args);
      begun.resolve();
      await released.promise;
      return turn;
    };
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    const json = JSON.stringify(body);
    socket.write(
      `POST /agent/helper/chat HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer alice\r\ncontent-type: application/json\r\ncontent-length: ${json.length}\r\n\r\n${json}`,
    );
    await begun.promise;
    socket.destroy();
    await expect.poll(() => lines.join('')).toContain('"status":499');
    released.resolve();
    await expect.poll(() => runtime.activeTurns).toBe(0);
    expect(model.requests).toHaveLength(1);
  });
});

/** The bytes in use after a full garbage collection. */
function liveBytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Sends a request by hand, so that this side keeps nothing of it, and waits for the first bytes of its answer. */
function openStream(port: number, path: string, json: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  const head = ['host: localhost', 'authorization: Bearer alice', 'content-type: application/json'];
  const length = `content-length: ${Buffer.byteLength(json)}`;
  socket.write(`POST ${path} HTTP/1.1\r\n${[...head, length].join('\r\n')}\r\n\r\n${json}`);
  return new Promise((resolve) => {
    let heard = '';
    socket.on('data', (chunk) => {
      heard += chunk;
      if (heard.includes('first words')) resolve(socket);
    });
  });
}

describe('an open stream', () => {
  it.each([
    ['what was said before', [{ id: 'a', role: 'assistant', content: 'x'.repeat(8_000_000) }], 'hello'],
    ['its files', [], [{ type: 'text', text: 'hello' }, textFile('x\n'.repeat(1_500_000))]],
  ])('does not hold %s, although all of it was sent', async (_, before, content) => {
    const replies = Array.from({ length: 6 }, () => ({ text: 'first words', hang: true }));
    const { port } = await openServer({ replies });
    const open = (run: number) => {
      const messages = [...before, { id: `m${run}`, role: 'user', content }];
      const input = { threadId: `thread ${run}`, runId: `run ${run}`, state: {}, tools: [], context: [], messages };
      return openStream(port, '/awp', JSON.stringify(input));
    };
    const sockets = [await open(0)];
    const bytes = liveBytes();
    for (let run = 1; run < replies.length; run++) sockets.push(await open(run));
    await expect.poll(() => liveBytes() - bytes, { timeout: 10_000 }).toBeLessThan(8_000_000);
    for (const socket of sockets) socket.destroy();
  });

  it('is kept alive while nothing happens', async () => {
    const { call } = await openServer({ replies: [{ text: 'x', hang: true }], app: { timing: { keepaliveMs: 20 } } });
    const leaving = new AbortController();
    const response = await call(STREAM, { body, signal: leaving.signal });
    let text = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      if (text.includes(': keepalive\n\n')) break;
    }
    leaving.abort();
    expect(text).toContain('stream_start');
  });

  it('follows a conversation over several turns, and ends when the server stops', async () => {
    const { call, stopping } = await openServer({ replies: ['One.', 'Two.'] });
    const { session_id } = await readAnswer(await call(CHAT, { body }));
    const frames = streamFrames(await call(`GET /sessions/${session_id}/events?follow=1`));
    const seen: string[] = [];
    const reading = (async () => {
      for await (const frame of frames) seen.push(frame.event);
    })();
    await expect.poll(() => seen.length).toBe(3);
    await call(CHAT, { body: { message: 'again', session_id } });
    await expect.poll(() => seen.length).toBe(6);
    expect(seen).toEqual(Array(2).fill(['stream_start', 'message_delta', 'stream_end']).flat());
    stopping.abort();
    await reading;
  });
});

describe('stopping', () => {
  it('refuses new turns with 503 and when to come again, without a stack in the log', async () => {
    const { call, runtime, lines } = await openServer({ replies: [] });
    await runtime.stop();
    const refused = await call(CHAT, { body });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect((await readAnswer(refused)).code).toBe('shutting_down');
    await expect.poll(() => lines.length).toBe(1);
    expect(JSON.parse(String(lines[0]))).toMatchObject({ status: 503, error: 'shutting_down' });
    expect(lines[0]).not.toContain('cause');
  });

  it('answers a request that waits for its whole turn, too', async () => {
    const { call, runtime } = await openServer({ replies: () => ({ text: 'x', hang: true }) });
    const answer = call(CHAT, { body });
    await expect.poll(() => runtime.activeTurns).toBe(1);
    await runtime.stop(10);
    expect(await (await answer).json()).toMatchObject({
      status: 503,
      code: 'turn_interrupted',
      detail:
        'The turn was interrupted; its completed work is stored. To continue it, send the request again with its Idempotency-Key (AG-UI: its runId). A message without a key starts a new turn.',
    });
  });

  it('ends every one of 50 open streams with its last event', async () => {
    const { call, runtime } = await openServer({ replies: () => ({ text: 'x', hang: true }) });
    const run = (index: number) => ({
      threadId: `t${index}`,
      runId: 'r',
      messages: [{ id: 'm', role: 'user', content: 'a' }],
    });
    const streams = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        index % 2 ? call(STREAM, { body }) : call('POST /awp', { body: run(index) }),
      ),
    );
    await expect.poll(() => runtime.activeTurns).toBe(50);
    const all = Promise.all(streams.map(readFrames));
    await runtime.stop(50);
    const ends = (await all).map((frames) =>
      frames.map((frame) => frame.event || String(frame.data.type)).filter((name) => ENDS.includes(name)),
    );
    expect(ends).toEqual(Array.from({ length: 50 }, (_, index) => [index % 2 ? 'error' : 'RUN_ERROR']));
    expect((await call(CHAT, { body })).status).toBe(503);
  });
});

/** A store that refuses to write turns while `isBroken` is set. */
function faultyStore(store: Store): Store & { isBroken: boolean } {
  const faulty = {
    ...store,
    isBroken: false,
    writeTurn: (...args: Parameters<Store['writeTurn']>) => (faulty.isBroken ? full() : store.writeTurn(...args)),
    interruptTurn: (...args: Parameters<Store['interruptTurn']>) =>
      faulty.isBroken ? full() : store.interruptTurn(...args),
  };
  return faulty;
}

function full(): Promise<never> {
  return Promise.reject(new AppError('store_unavailable', { detail: 'The disk is full.' }));
}

describe('a journal that fails', () => {
  async function open() {
    const folder = temporaryFolder();
    const store = faultyStore(createSqliteStore({ folder }));
    const gate = Promise.withResolvers<void>();
    const model = createScriptedModel(async ({ messages }) => {
      if (messages.length === 1) await gate.promise;
      return 'Hi.';
    });
    const runtime = await createRuntime({ agents: [buildAgent()], folder, store, model });
    const server = await serveRuntime(runtime);
    return { ...server, runtime, store, gate };
  }

  it.each(['rest', 'ag-ui'])(
    'ends the stream with one error (%s), and lets the conversation continue',
    async (format) => {
      const { call, store, gate, runtime } = await open();
      const run = { threadId: 't', runId: 'r', messages: [{ id: 'm', role: 'user', content: 'hello' }] };
      const response = format === 'rest' ? await call(STREAM, { body }) : await call('POST /awp', { body: run });
      const frames = streamFrames(response);
      const first = (await frames.next()).value;
      store.isBroken = true;
      gate.resolve();
      const rest: string[] = [];
      for await (const frame of frames) rest.push(frame.event || String(frame.data.type));
      expect(rest.filter((name) => ENDS.includes(name))).toEqual([format === 'rest' ? 'error' : 'RUN_ERROR']);
      expect((await call('GET /health')).status).toBe(503);

      const { sessions } = (await (await call('GET /sessions')).json()) as { sessions: { session_id: string }[] }; // one of ours
      const session_id = sessions[0]?.session_id;
      const again = { message: 'again', session_id };
      expect((await call(CHAT, { body: again })).status).toBe(409);
      store.isBroken = false;
      expect((await readAnswer(await call(CHAT, { body: again }))).content).toBe('Hi.');
      expect((await call('GET /health')).status).toBe(200);
      expect(first).toBeDefined();
      await runtime.stop();
    },
  );

  it('is written as interrupted by itself once the store works again', async () => {
    const { call, store, gate, runtime } = await open();
    const frames = streamFrames(await call(STREAM, { body, headers: { 'idempotency-key': 'k' } }));
    const id = (await frames.next()).value?.data.session_id;
    store.isBroken = true;
    gate.resolve();
    for await (const _ of frames);
    store.isBroken = false;
    await expect
      .poll(async () => (await readAnswer(await call(`GET /sessions/${id}`))).turn.status)
      .toBe('interrupted');
    const retried = await call(CHAT, { body, headers: { 'idempotency-key': 'k' } });
    expect((await readAnswer(retried)).content).toBe('Hi.');
    await runtime.stop();
  });
});
