import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import { COMMAND } from './command.ts';
import { freePort } from './free-port.ts';

/**
 * A model that sends far too much, `holodeck serve` as a process in front of it, and clients that read or never read.
 */
export const MB = 1_000_000;
/** Connections that the caller itself keeps open to the server. */
const IDLE_SOCKETS = 5;

const delta = (part: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: part, finish_reason }] })}\n\n`;
const END = `${delta({}, 'stop')}data: [DONE]\n\n`;
const TEXT = delta({ content: 'All work and no play makes Jack a dull boy. '.repeat(20) });

export type Reply = (response: ServerResponse, asked: number) => Promise<void>;

export const flood =
  (bytes: number): Reply =>
  async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    await pump(response, response, bytes);
    response.end(END);
  };
export const compressed: Reply = async (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
  const gzip = createGzip();
  gzip.pipe(response);
  await pump(response, gzip, 300 * MB);
  gzip.end(END);
};
export const manyCalls: Reply = async (response, asked) => {
  const call = (index: number) => ({
    index,
    id: `c${index}`,
    function: { name: 'weather', arguments: '{"city":"Oslo"}' },
  });
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const calls = Array.from({ length: 10_000 }, (_, index) => delta({ tool_calls: [call(index)] })).join('');
  response.end(asked === 1 ? `${calls}${delta({}, 'tool_calls')}data: [DONE]\n\n` : delta({ content: 'Fine.' }) + END);
};
export const endless: Reply = async (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const timer = setInterval(() => response.write(delta({ content: 'and ' })), 100);
  response.on('close', () => clearInterval(timer));
};

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
  const { port } = server.address() as AddressInfo; // it listens on a port, not on a pipe
  return {
    port,
    asked: () => asked,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Writes a line for each run, so that the tool itself counts its runs, not the server. */
const TOOL = `import { appendFileSync } from 'node:fs';
export default function weather() {
  appendFileSync(new URL('runs', import.meta.url), 'run\\n');
  return { sky: 'clear' };
}
`;

export interface Flooded {
  child: ChildProcess;
  port: number;
  url: string;
  /** The number of model requests. */
  asked(): number;
  /** The number of tool runs. */
  runs(): number;
  /** Sends SIGTERM; resolves to the exit code. */
  stop(): Promise<number | null>;
  close(): void;
}

/** Starts the model and the server. `settings` are lines of the agent's YAML, `nodeArgs` options of Node itself. */
export async function startFlooded({
  reply,
  settings = [],
  nodeArgs = [],
}: {
  reply: Reply;
  settings?: readonly string[];
  nodeArgs?: readonly string[];
}): Promise<Flooded> {
  const folder = mkdtempSync(join(tmpdir(), 'holodeck-replies-'));
  const model = await startModel(reply);
  writeFileSync(join(folder, 'weather.ts'), TOOL);
  const yaml = [
    'name: flooded',
    `model: { provider: openai_compatible, name: m, endpoint: http://127.0.0.1:${model.port}, max_tokens: 1000 }`,
    'instructions: Help.',
    'tools: [{ name: weather, type: function, file: weather.ts, description: The weather. }]',
    ...settings,
  ];
  writeFileSync(join(folder, 'agent.yaml'), `${yaml.join('\n')}\n`);
  const port = await freePort();
  const args = [COMMAND, 'serve', join(folder, 'agent.yaml'), '-p', String(port), '--data', join(folder, 'data')];
  const child = spawn(process.execPath, [...nodeArgs, ...args], { stdio: 'ignore' });
  const exit = once(child, 'exit').then(([code]: (number | null)[]) => code ?? null);
  const runsFile = join(folder, 'runs');
  const flooded: Flooded = {
    child,
    port,
    url: `http://127.0.0.1:${port}`,
    asked: model.asked,
    runs: () => (existsSync(runsFile) ? readFileSync(runsFile, 'utf8').split('\n').length - 1 : 0),
    stop() {
      child.kill('SIGTERM');
      return exit;
    },
    close() {
      child.kill('SIGKILL');
      model.close();
      void exit.then(() => rmSync(folder, { recursive: true, force: true }));
    },
  };
  while (!(await fetch(`${flooded.url}/ready`).catch(() => undefined))?.ok) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    await delay(100);
  }
  return flooded;
}

/** The resident memory of the running server. */
export function memoryMb({ child }: Flooded): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1000;
}

export interface Client {
  socket: Socket;
  /** The end of the received text, once the connection is closed. */
  done: Promise<string>;
}

/** Requests a stream. A client that never reads is closed only after its socket is resumed. */
export function startClient({ port }: Flooded, reads: boolean): Client {
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

/** Watches memory and the health route until stopped. */
export function watch(flooded: Flooded) {
  const times: number[] = [];
  let failed = 0;
  let peak = 0;
  let isOver = false;
  const loop = (async () => {
    while (!isOver) {
      const started = performance.now();
      const response = await fetch(`${flooded.url}/health`).catch(() => undefined);
      times.push(performance.now() - started);
      if (!response?.ok) failed++;
      if (flooded.child.exitCode === null) peak = Math.max(peak, memoryMb(flooded));
      await delay(20);
    }
  })();
  return async () => {
    isOver = true;
    await loop;
    const sorted = times.toSorted((a, b) => a - b);
    return { peak, failed, answered: times.length - failed, p95: sorted[Math.floor(sorted.length * 0.95)] ?? 0 };
  };
}

interface Listed {
  sessions: { session_id: string }[];
}

/** Resolves when no turn runs and the server holds no connection of a client that never read. */
export async function untilQuiet(
  flooded: Flooded,
  { count, sockets, deadline }: { count: number; sockets: number; deadline: number },
) {
  // The server's own routes answer with these shapes.
  const get = async <Body>(path: string) => (await (await fetch(`${flooded.url}${path}`)).json()) as Body;
  for (;;) {
    const { sessions } = await get<Listed>('/sessions?limit=100');
    // Requests run one after another: parallel ones would open a connection each.
    const turns: { turn?: { status: string } }[] = [];
    for (const { session_id: id } of sessions) turns.push(await get(`/sessions/${id}?last=1`));
    const running = turns.filter(({ turn }) => turn?.status === 'running').length;
    if (sessions.length === count && running === 0 && countSockets(flooded) <= sockets + IDLE_SOCKETS) return;
    if (performance.now() > deadline)
      throw new Error(`${running} turns run, ${countSockets(flooded)} sockets are open`);
    await delay(200);
  }
}

export function countSockets({ child }: Flooded): number {
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

/** The number of streams without their last event. */
export function countUnended(streams: readonly string[]): number {
  return streams.filter((text) => !/event: (stream_end|error)\n/.test(text)).length;
}
