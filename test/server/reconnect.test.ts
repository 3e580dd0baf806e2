import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AppError } from '../../src/errors.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { createRuntime } from '../../src/runtime/runtime.ts';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { buildAgent, buildTool } from '../build.ts';
import { COMMAND } from '../command.ts';
import { freePort } from '../free-port.ts';
import { temporaryFolder } from '../runtime.ts';
import { openWorld, say, type World } from '../terminal/session.ts';
import { openServer, parseFrames, readFrames, type SseFrame, serveRuntime, streamFrames } from './server.ts';

const STREAM = 'POST /agent/helper/chat/stream';
const callEcho = { reasoning: 'Hm.', text: 'Let me look. ', calls: [{ name: 'echo', arguments: { text: 'a' } }] };
const replies = [callEcho, { text: ['All ', 'done.'] }];
const FORMATS = ['rest', 'ag-ui'] as const;
type Format = (typeof FORMATS)[number];

/** The final state of a reader: deltas of a text joined, everything else as received. */
function sumUp(frames: readonly SseFrame[]): unknown[] {
  const seen: { what: string; text: string }[] = [];
  for (const { event, data } of frames) {
    const { delta, ...rest } = data;
    const isText = typeof delta === 'string' && !String(data.type).startsWith('TOOL');
    const what = `${event} ${JSON.stringify(isText ? rest : data)}`;
    const last = seen.at(-1);
    if (isText && last?.what === what) last.text += delta;
    else seen.push({ what, text: isText ? delta : '' });
  }
  return seen;
}

/** A follower gets the user's message, which the caller of the run already has. */
function withoutInput(frame: SseFrame): SseFrame {
  const { input: _input, ...data } = frame.data;
  return { ...frame, data };
}

/** Every emitted id, and every position in the middle of a text. */
function positionsOf(frames: readonly SseFrame[]): { id: string; held: SseFrame[] }[] {
  return frames.flatMap((frame, index) => {
    const before = frames.slice(0, index);
    const whole = { id: frame.id, held: frames.slice(0, index + 1) };
    const { delta } = frame.data;
    const [turn, attempt, seq, offset] = frame.id.split('.');
    if (typeof delta !== 'string' || String(frame.data.type).startsWith('TOOL')) return [whole];
    const cuts = Array.from({ length: delta.length - 1 }, (_, cut) => ({
      id: `${turn}.${attempt}.${seq}.${Number(offset) - delta.length + cut + 1}`,
      held: [...before, { ...frame, data: { ...frame.data, delta: delta.slice(0, cut + 1) } }],
    }));
    return [...cuts, whole];
  });
}

async function begin(call: Awaited<ReturnType<typeof openServer>>['call'], format: Format): Promise<Response> {
  if (format === 'rest') return call(STREAM, { body: { message: 'hello' } });
  const messages = [{ id: 'm', role: 'user', content: 'hello' }];
  return call('POST /awp', { body: { threadId: 't', runId: 'r', protocolVersion: '1.0', messages } });
}

const sessionOf = (frames: readonly SseFrame[]): string =>
  /"session_id":"(\w+)"/.exec(JSON.stringify(frames.map((frame) => frame.data)))?.[1] ?? '';

describe.each(FORMATS)('reconnecting (%s)', (format) => {
  it('gives the rest of a finished run exactly once, from every position', async () => {
    const { call } = await openServer({ replies });
    const told = await readFrames(await begin(call, format));
    const path = `GET /sessions/${sessionOf(told)}/events?format=${format}`;
    const positions = positionsOf(told);
    expect(positions.length).toBeGreaterThan(25);
    for (const { id, held } of positions) {
      const rest = await readFrames(await call(path, { headers: { 'last-event-id': id } }));
      expect([id, sumUp([...held, ...rest])]).toEqual([id, sumUp(told)]);
    }
    expect(sumUp((await readFrames(await call(path))).map(withoutInput))).toEqual(sumUp(told));
  });

  it('gives the rest of a running run exactly once, from every position, and runs no tool twice', async () => {
    const gate = Promise.withResolvers<string>();
    let runs = 0;
    const slow = buildTool({
      run: () => {
        runs++;
        return gate.promise;
      },
    });
    const { call } = await openServer({ replies, tools: [slow] });
    const stream = streamFrames(await begin(call, format));
    const told: SseFrame[] = [];
    const lastBeforeRun = format === 'rest' ? 'tool_call_args' : 'TOOL_CALL_END';
    for (let isThere = false; !isThere; ) {
      const { value } = await stream.next();
      if (value) told.push(value);
      isThere = value?.event === lastBeforeRun || value?.data.type === lastBeforeRun;
    }
    const path = `GET /sessions/${sessionOf(told)}/events?format=${format}`;
    const readers = await Promise.all(
      positionsOf(told).map(async ({ id, held }) => {
        const response = await call(path, { headers: { 'last-event-id': id } });
        return { held, rest: response.text() };
      }),
    );
    gate.resolve('late');
    for await (const frame of stream) told.push(frame);
    for (const { held, rest } of readers) expect(sumUp([...held, ...parseFrames(await rest)])).toEqual(sumUp(told));
    expect(runs).toBe(1);
  });
});

describe('text that was emitted and never committed', () => {
  async function lose(format: Format) {
    const folder = temporaryFolder();
    const store = createSqliteStore({ folder });
    let isBroken = false;
    const gate = Promise.withResolvers<void>();
    const faulty = {
      ...store,
      writeTurn: (...args: Parameters<typeof store.writeTurn>) =>
        isBroken
          ? Promise.reject(new AppError('store_unavailable', { detail: 'The disk is full.' }))
          : store.writeTurn(...args),
    };
    const model = createScriptedModel(({ messages }) => (messages.length === 1 ? second : 'x'));
    const second = { text: ['Hello world'], error: gate.promise };
    const runtime = await createRuntime({ agents: [buildAgent()], folder, store: faulty, model });
    const { call } = await serveRuntime(runtime);
    isBroken = true;
    const stream = streamFrames(await begin(call, format));
    const told: SseFrame[] = [];
    for await (const frame of stream) told.push(frame);
    isBroken = false;
    const session = sessionOf(told);
    await expect
      .poll(async () => (await (await call(`GET /sessions/${session}`)).text()).includes('interrupted'))
      .toBe(true);
    const ask = async (id: string) =>
      readFrames(await call(`GET /sessions/${session}/events?format=${format}`, { headers: { 'last-event-id': id } }));
    return { told, ask, runtime };
  }

  it('is taken back with message_reset', async () => {
    const { told, ask, runtime } = await lose('rest');
    expect(told.map((frame) => frame.event)).toEqual(['stream_start', 'message_delta', 'error']);
    const rest = await ask(String(told[1]?.id));
    expect(rest.map(({ event, data }) => [event, data.content])).toEqual([
      ['message_reset', ''],
      ['error', undefined],
    ]);
    await runtime.stop();
  });

  it('is taken back with MESSAGES_SNAPSHOT in AG-UI', async () => {
    const { told, ask, runtime } = await lose('ag-ui');
    const content = told.find((frame) => frame.data.type === 'TEXT_MESSAGE_CONTENT');
    const rest = await ask(String(content?.id));
    expect(rest.map(({ data }) => data.type)).toEqual(['MESSAGES_SNAPSHOT', 'RUN_ERROR']);
    expect(rest[0]?.data.messages).toMatchObject([{ role: 'user', content: 'hello' }]);
    await runtime.stop();
  });
});

describe('a reader who was away for several turns', () => {
  it.each(['', '&follow=1'])('hears the rest of its turn and every one since, in order (%s)', async (follow) => {
    const { call, stopping } = await openServer({ replies: ['One.', 'Two.', 'Three.', 'Four.'] });
    const told = await readFrames(await begin(call, 'rest'));
    const session_id = sessionOf(told);
    const turns = [told];
    for (const message of ['and?', 'more?', 'last?']) {
      turns.push(await readFrames(await call(STREAM, { body: { message, session_id } })));
    }
    expect(await readFrames(await call(`GET /sessions/${session_id}/events`))).toEqual(turns.at(-1));
    const path = `GET /sessions/${session_id}/events?format=rest${follow}`;
    const stream = streamFrames(await call(path, { headers: { 'last-event-id': String(told[0]?.id) } }));
    const expected = [...told.slice(1), ...turns.slice(1).flat()];
    const heard: SseFrame[] = [];
    for await (const frame of stream) {
      heard.push(frame);
      if (heard.length === expected.length) stopping.abort();
    }
    expect(heard).toEqual(expected);
  });
});

describe('Last-Event-ID', () => {
  it.each(['nonsense', '01M7GM0AN3XYXWB1V5W0BVNSWS.1.1.0'])(
    'that is not of this conversation is refused: %s',
    async (id) => {
      const { call } = await openServer({ replies: ['Hi.'] });
      const told = await readFrames(await begin(call, 'rest'));
      const response = await call(`GET /sessions/${sessionOf(told)}/events`, { headers: { 'last-event-id': id } });
      expect(response.status).toBe(422);
    },
  );
});

interface Served {
  ask(): Promise<number>;
  /** Its output for people so far. */
  said(): string;
}

async function serve(world: World): Promise<Served> {
  const port = await freePort();
  const env = { ...process.env, MODEL_URL: `${world.model.url}/v1` };
  const args = [COMMAND, 'serve', world.agent, '--data', world.data, '-p', String(port)];
  const child: ChildProcess = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (piece) => {
      text += piece;
    });
  }
  await expect.poll(() => text, { timeout: 20_000 }).toContain(`:${port}`);
  const ask = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/agent/helper/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'hello' }),
    });
    await response.text();
    return response.status;
  };
  return { ask, said: () => text };
}

describe('an agent.yaml that is edited while it is served', () => {
  it('is used from the next turn on; a broken one is refused with line and column, and the old one stays', async () => {
    const world = await openWorld([say('ok')]);
    const { ask, said } = await serve(world);
    const good = readFileSync(world.agent, 'utf8');
    writeFileSync(world.agent, good.replace('instructions: Help.', 'instructions: Help like a pirate.'));
    await expect.poll(said, { timeout: 10_000 }).toContain('agent.yaml has changed');
    expect(await ask()).toBe(200);
    expect(JSON.stringify(world.model.requests.at(-1)?.body)).toContain('Help like a pirate.');
    appendFileSync(world.agent, 'instuctions: twice\n');
    await expect
      .poll(said, { timeout: 10_000 })
      .toMatch(/agent\.yaml:\d+:1 instuctions: unknown key[\s\S]*Still using/);
    expect(await ask()).toBe(200);
  });
});
