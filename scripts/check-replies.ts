import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGzip } from 'node:zlib';

/**
 * Runs `holodeck serve` against a model that sends far too much, with clients that read and clients that never do.
 * Fails when the server's memory grows too far, a turn is not answered, or SIGTERM does not end the process in time.
 * `--short` runs the first two scenarios only. `node scripts/check-replies.ts [--short]`
 */
const MB = 1_000_000;
const MAX_GROWTH_MB = 250;
const ANSWER_MS = 60_000;
const EXIT_MS = 30_000;
/** Connections that this script itself keeps open to the server. */
const IDLE_SOCKETS = 5;
const COMMAND = join(import.meta.dirname, '..', 'bin', 'holodeck.js');

const delta = (part: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: part, finish_reason }] })}\n\n`;
const END = `${delta({}, 'stop')}data: [DONE]\n\n`;
const TEXT = delta({ content: 'All work and no play makes Jack a dull boy. '.repeat(20) });

type Reply = (response: ServerResponse, asked: number) => Promise<void>;

interface Scenario {
  name: string;
  clients: number;
  reads: boolean;
  reply: Reply;
  /** SIGTERM comes while the turns run. */
  stopsEarly?: boolean;
}

const flood =
  (bytes: number): Reply =>
  async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    await pump(response, response, bytes);
    response.end(END);
  };
const compressed: Reply = async (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
  const gzip = createGzip();
  gzip.pipe(response);
  await pump(response, gzip, 300 * MB);
  gzip.end(END);
};
const manyCalls: Reply = async (response, asked) => {
  const call = (index: number) => ({
    index,
    id: `c${index}`,
    function: { name: 'weather', arguments: '{"city":"Oslo"}' },
  });
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const calls = Array.from({ length: 10_000 }, (_, index) => delta({ tool_calls: [call(index)] })).join('');
  response.end(asked === 1 ? `${calls}${delta({}, 'tool_calls')}data: [DONE]\n\n` : delta({ content: 'Fine.' }) + END);
};
const endless: Reply = async (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const timer = setInterval(() => response.write(delta({ content: 'and ' })), 100);
  response.on('close', () => clearInterval(timer));
};

const SCENARIOS: readonly Scenario[] = [
  { name: '20 answers of 20 MB, clients never read', clients: 20, reads: false, reply: flood(20 * MB) },
  { name: '20 answers of 20 MB, clients read', clients: 20, reads: true, reply: flood(20 * MB) },
  { name: 'a reply with 10,000 calls', clients: 1, reads: true, reply: manyCalls },
  { name: 'a reply of 100 MB', clients: 1, reads: true, reply: flood(100 * MB) },
  { name: 'a compressed reply of 300 MB', clients: 1, reads: true, reply: compressed },
  { name: 'a reply that never ends', clients: 1, reads: true, reply: endless },
  {
    name: 'stopped: 20 answers of 20 MB, clients never read',
    clients: 20,
    reads: false,
    reply: flood(20 * MB),
    stopsEarly: true,
  },
  { name: 'stopped: a reply that never ends', clients: 1, reads: true, reply: endless, stopsEarly: true },
];

interface Writer {
  write(text: string): boolean;
  once(event: 'drain', listener: () => void): unknown;
}

async function pump(response: ServerResponse, to: Writer, bytes: number): Promise<void> {
  const closed = once(response, 'close');
  for (let sent = 0; sent < bytes && !response.destroyed; sent += TEXT.length) {
    if (!to.write(TEXT)) await Promise.race([new Promise<void>((resolve) => to.once('drain', resolve)), closed]);
  }
}

async function startModel(reply: Reply) {
  let asked = 0;
  const server = createServer((request, response) => {
    response.on('error', () => {});
    request.resume().on('end', () => void reply(response, ++asked));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: (server.address() as AddressInfo).port }; // it listens on a port, not on a pipe
}

interface Served {
  child: ChildProcess;
  url: string;
  port: number;
}

async function startServer(folder: string, modelPort: number): Promise<Served> {
  writeFileSync(join(folder, 'weather.ts'), 'export default function weather() { return { sky: "clear" }; }\n');
  const yaml = [
    'name: flooded',
    `model: { provider: openai_compatible, name: m, endpoint: http://127.0.0.1:${modelPort}, max_tokens: 1000 }`,
    'instructions: Help.',
    'tools: [{ name: weather, type: function, file: weather.ts, description: The weather. }]',
  ];
  writeFileSync(join(folder, 'agent.yaml'), `${yaml.join('\n')}\n`);
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo; // it listens on a port, not on a pipe
  await new Promise((resolve) => probe.close(resolve));
  const args = [COMMAND, 'serve', join(folder, 'agent.yaml'), '-p', String(port), '--data', join(folder, 'data')];
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  for (;;) {
    const response = await fetch(`${url}/ready`).catch(() => undefined);
    if (response?.ok) return { child, url, port };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function memoryMb({ child }: Served): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1000;
}

/** Asks for a stream; resolves with everything that came, or when nothing more is expected of a client that never reads. */
function startClient({ port }: Served, reads: boolean): { socket: Socket; done: Promise<string> } {
  const body = JSON.stringify({ message: 'hello' });
  const socket = connect(port, '127.0.0.1');
  const head = ['POST /agent/flooded/chat/stream HTTP/1.1', 'host: localhost', 'connection: close'];
  socket.write([...head, 'content-type: application/json', `content-length: ${body.length}`, '', body].join('\r\n'));
  socket.on('error', () => {});
  if (!reads) socket.pause();
  let text = '';
  if (reads) socket.on('data', (piece) => (text = (text + piece).slice(-2 * MB)));
  const done = new Promise<string>((resolve) => socket.on('close', () => resolve(text)));
  return { socket, done };
}

/** Watches memory and the health route until it is stopped. */
function watch(served: Served) {
  const times: number[] = [];
  let peak = 0;
  let isOver = false;
  const loop = (async () => {
    while (!isOver) {
      const started = performance.now();
      await fetch(`${served.url}/health`).catch(() => undefined);
      times.push(performance.now() - started);
      if (served.child.exitCode === null) peak = Math.max(peak, memoryMb(served));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  return async () => {
    isOver = true;
    await loop;
    const sorted = times.toSorted((a, b) => a - b);
    return { peak, p95: sorted[Math.floor(sorted.length * 0.95)] ?? 0 };
  };
}

interface Listed {
  sessions: { session_id: string }[];
}

/** Resolves when no turn runs any more and the server holds no connection of a client that never read. */
async function untilQuiet(
  served: Served,
  { count, sockets, deadline }: { count: number; sockets: number; deadline: number },
) {
  // the server's own routes answer with these shapes
  const get = async <Body>(path: string) => (await (await fetch(`${served.url}${path}`)).json()) as Body;
  for (;;) {
    const { sessions } = await get<Listed>('/sessions?limit=100');
    // One after the other: each request at the same time would be a connection of its own.
    const turns: { turn?: { status: string } }[] = [];
    for (const { session_id: id } of sessions) turns.push(await get(`/sessions/${id}?last=1`));
    const running = turns.filter(({ turn }) => turn?.status === 'running').length;
    if (sessions.length === count && running === 0 && countSockets(served) <= sockets + IDLE_SOCKETS) return;
    if (performance.now() > deadline) throw new Error(`${running} turns run, ${countSockets(served)} sockets are open`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

function countSockets({ child }: Served): number {
  const folder = `/proc/${child.pid}/fd`;
  return readdirSync(folder).filter((name) => isSocket(join(folder, name))).length;
}

function isSocket(path: string): boolean {
  try {
    return readlinkSync(path).startsWith('socket:');
  } catch {
    return false; // closed meanwhile
  }
}

async function runScenario({ name, clients: count, reads, reply, stopsEarly }: Scenario): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'holodeck-replies-'));
  const model = await startModel(reply);
  const served = await startServer(folder, model.port);
  try {
    const before = memoryMb(served);
    const sockets = countSockets(served);
    const stop = watch(served);
    const started = performance.now();
    const clients = Array.from({ length: count }, () => startClient(served, reads));
    if (stopsEarly) await new Promise((resolve) => setTimeout(resolve, 1_000));
    else if (reads) check(await Promise.all(clients.map(({ done }) => done)));
    else await untilQuiet(served, { count, sockets, deadline: started + ANSWER_MS });
    const answeredMs = performance.now() - started;
    const { peak, p95 } = await stop();
    const exitMs = await stopServer(served);
    for (const { socket } of clients) socket.destroy();
    const growth = peak - before;
    const row = { growth_mb: growth, answered_ms: answeredMs, health_p95_ms: p95, exit_ms: exitMs };
    const rounded = Object.fromEntries(Object.entries(row).map(([key, value]) => [key, Math.round(value)]));
    process.stdout.write(`${name}: ${JSON.stringify(rounded)}\n`);
    if (growth > MAX_GROWTH_MB) throw new Error(`${name}: memory grew by ${Math.round(growth)} MB`);
    if (answeredMs > ANSWER_MS) throw new Error(`${name}: answered after ${Math.round(answeredMs)} ms`);
    if (exitMs > EXIT_MS) throw new Error(`${name}: ended ${Math.round(exitMs)} ms after SIGTERM`);
  } finally {
    served.child.kill('SIGKILL');
    model.server.closeAllConnections();
    model.server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function check(streams: readonly string[]): void {
  const unanswered = streams.filter((text) => !/event: (stream_end|error)\n/.test(text)).length;
  if (unanswered > 0) throw new Error(`${unanswered} streams have no end`);
}

async function stopServer({ child }: Served): Promise<number> {
  const started = performance.now();
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
  return performance.now() - started;
}

const isShort = process.argv.includes('--short');
const wanted = process.argv.find((arg) => arg.startsWith('--only='))?.slice('--only='.length);
const chosen = SCENARIOS.slice(0, isShort ? 2 : undefined).filter(({ name }) => !wanted || name.includes(wanted));
for (const scenario of chosen) await runScenario(scenario);
