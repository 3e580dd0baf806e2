/**
 * Measures the promises of the terminal: `npm run bench -- terminal`. With `--bundle FILE` the start of a built command is
 * measured too (build it and copy it out of the checkout first).
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pty from '@lydell/node-pty';
import { createRuntime } from '../src/runtime/runtime.ts';
import { ALICE, buildAgent } from '../test/build.ts';
import { EVENT_STREAM, startModelServer } from '../test/fakes/model-server.ts';

const SOURCE = join(import.meta.dirname, '..', 'bin', 'holodeck.js');
const AGENT = join(import.meta.dirname, '..', 'test', 'fixtures', 'fronts', 'agent.yaml');
const STARTS = 15;
const TURNS = 2000;

interface Chat {
  pid: number;
  send(text: string): void;
  /** Address of its inspector, if it was started with one. */
  inspector(): string;
  /** Resolves with the time since the start when the text was shown `times` times. */
  shown(text: string, times?: number): Promise<number>;
  end(): Promise<void>;
}

function startChat(command: string, args: string[], env: Record<string, string> = {}): Chat {
  const start = performance.now();
  const child = pty.spawn(process.execPath, [command, 'chat', ...args], {
    cols: 100,
    rows: 30,
    env: { ...(process.env as Record<string, string>), ...env }, // every value of a process's own environment is text
  });
  let text = '';
  let count = 0;
  let waiting: { text: string; times: number; done(ms: number): void } | undefined;
  let inspector = '';
  child.onData((data) => {
    text += data;
    inspector ||= /ws:\S+/.exec(text)?.[0] ?? '';
    if (!waiting) return;
    const parts = text.split(waiting.text);
    count += parts.length - 1;
    text = (parts.at(-1) ?? '').slice(-200);
    if (count >= waiting.times) waiting.done(performance.now() - start);
  });
  const exited = new Promise<void>((resolve) => child.onExit(() => resolve()));
  return {
    pid: child.pid,
    inspector: () => inspector,
    send: (keys) => child.write(keys),
    shown: (wanted, times = 1) =>
      new Promise((done) => {
        count = 0;
        waiting = { text: wanted, times, done };
      }),
    async end() {
      child.write('\u0004');
      await exited;
    },
  };
}

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holodeck-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const megabytes = (pid: number) =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
const row = (what: string, measured: string, promised: string, isKept: boolean) => {
  if (!isKept) process.exitCode = 1;
  console.log(`${what.padEnd(52)} ${measured.padEnd(52)} ${promised.padEnd(20)} ${isKept ? 'kept' : 'BROKEN'}`);
};

async function measureReady(command: string): Promise<number> {
  const data = temporary();
  const times: number[] = [];
  for (let run = 0; run < STARTS; run++) {
    const chat = startChat(command, ['--data', data]);
    times.push(await chat.shown('> '));
    await chat.end();
  }
  return median(times.slice(1));
}

/** Measures 50 messages and more with the shipped agent. */
async function measureMemory(): Promise<number> {
  const chat = startChat(SOURCE, ['--data', temporary()]);
  await chat.shown('> ');
  for (let message = 0; message < 25; message++) {
    const answered = chat.shown('/50');
    chat.send(`remind me to buy article number ${message} tomorrow\r`);
    await answered;
  }
  const memory = megabytes(chat.pid);
  await chat.end();
  return memory;
}

interface Growth {
  /** The live heap after 500 turns and at the end, in MB. */
  early: number;
  late: number;
  resident: number;
  perSecond: number;
}

async function measureGrowth(): Promise<Growth> {
  const delta = { content: '**Done**: one, two, three.\n\n- a\n- b' };
  const reply = `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`;
  await using model = await startModelServer([
    (response) => {
      response.writeHead(200, EVENT_STREAM);
      response.end(reply);
    },
  ]);
  const env = { MODEL_URL: `${model.url}/v1`, NODE_OPTIONS: '--inspect=127.0.0.1:0' };
  const chat = startChat(SOURCE, [AGENT, '--data', temporary()], env);
  await chat.shown('> ');
  const heap = await openHeap(chat.inspector());
  const talk = async (turns: number) => {
    const answered = chat.shown('/50', turns);
    for (let turn = 0; turn < turns; turn++) chat.send(`message ${turn}\r`);
    await answered;
    model.requests.length = 0;
  };
  await talk(TURNS / 4);
  const early = await heap.live();
  const start = performance.now();
  for (let quarter = 0; quarter < 3; quarter++) await talk(TURNS / 4);
  const perSecond = (TURNS * 0.75) / ((performance.now() - start) / 1000);
  const resident = megabytes(chat.pid);
  const late = await heap.live();
  heap.close();
  await chat.end();
  return { early, late, resident, perSecond };
}

/** Measures a process's live heap after a full garbage collection. */
async function openHeap(address: string): Promise<{ live(): Promise<number>; close(): void }> {
  const socket = new WebSocket(address);
  await once(socket, 'open');
  const ask = async (method: string): Promise<{ usedSize?: number }> => {
    socket.send(JSON.stringify({ id: 1, method }));
    const [message] = await once(socket, 'message');
    return JSON.parse(message.data).result;
  };
  return {
    async live() {
      await ask('HeapProfiler.collectGarbage');
      return ((await ask('Runtime.getHeapUsage')).usedSize ?? 0) / 1e6;
    },
    close: () => socket.close(),
  };
}

/** Runs in a separate process: receives traces, and answers as a model with 200 tokens. */
const OTHER_SIDE = `
const chunk = 'data: ' + JSON.stringify({ choices: [{ index: 0, delta: { content: 'token ' }, finish_reason: null }] }) + '\\n\\n';
const end = 'data: ' + JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) + '\\n\\ndata: [DONE]\\n\\n';
const server = require('node:http').createServer((request, response) => request.resume().on('end', async () => {
  if (!request.url.includes('chat')) return response.end('{}');
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (let sent = 0; sent < 200; sent++) {
    response.write(chunk);
    await new Promise((resolve) => setImmediate(resolve));
  }
  response.end(end);
}));
server.listen(0, '127.0.0.1', () => process.stdout.write(String(server.address().port)));`;

/** Compares the CPU time of the same turns with and without a receiver for traces, in alternation. */
async function measureTelemetry(): Promise<number> {
  const receiver = spawn(process.execPath, ['-e', OTHER_SIDE], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await once(receiver.stdout, 'data');
  const open = async (enabled: boolean) => {
    const observability = { enabled, ...(enabled && { otlp_endpoint: `http://127.0.0.1:${port}` }) };
    const model = { provider: 'openai_compatible', name: 'other-side', endpoint: `http://127.0.0.1:${port}/v1` };
    return createRuntime({ agents: [buildAgent({ observability, model })], folder: temporary() });
  };
  const runtimes = [await open(false), await open(true)] as const;
  const run = async (runtime: (typeof runtimes)[number], turns: number) => {
    const before = process.cpuUsage();
    for (let turn = 0; turn < turns; turn++) {
      const { events } = await runtime.chat(ALICE, { agent: 'helper', message: 'hello' });
      for await (const _ of events);
    }
    const used = process.cpuUsage(before);
    return used.user + used.system;
  };
  for (const runtime of runtimes) await run(runtime, 500);
  const used: [number[], number[]] = [[], []];
  for (let round = 0; round < 30; round++) {
    used[0].push(await run(runtimes[0], 100));
    used[1].push(await run(runtimes[1], 100));
  }
  for (const runtime of runtimes) await runtime.stop();
  receiver.kill();
  return median(used[1]) / median(used[0]);
}

const bundle = process.argv.indexOf('--bundle');
const ready = await measureReady(SOURCE);
row('chat ready, from source (p50)', `${ready.toFixed(0)} ms`, '< 1,000 ms', ready < 1000);
if (bundle > 0) {
  const built = await measureReady(String(process.argv[bundle + 1]));
  row('chat ready, from the bundle (p50)', `${built.toFixed(0)} ms`, '< 1,000 ms', built < 1000);
}
const memory = await measureMemory();
row('memory of a chat at 50 messages', `${memory.toFixed(0)} MB`, '< 200 MB', memory < 200);
const { early, late, resident, perSecond } = await measureGrowth();
row(
  `${TURNS} turns at full speed, live heap at 500 → all`,
  `${early.toFixed(1)} → ${late.toFixed(1)} MB (${perSecond.toFixed(0)} turns/s, ${resident.toFixed(0)} MB resident)`,
  'no growth (≤ 5 %)',
  late <= early * 1.05,
);
const telemetry = await measureTelemetry();
row('CPU with traces ÷ without (p50 of 30 rounds)', telemetry.toFixed(3), '< 1.05', telemetry < 1.05);
