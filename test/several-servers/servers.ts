import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SignJWT } from 'jose';
import { COMMAND } from '../command.ts';
import { freePort } from '../free-port.ts';

/** Longer than any clock of a test is moved. */
const TOKEN_SECONDS = 30 * 24 * 3600;
const SECRET = 'a secret that is at least 32 bytes long';

/** A real `holodeck serve`. */
export interface Server {
  url: string;
  child: ChildProcess;
  /** The last output on stderr. */
  log(): string;
  kill(): Promise<void>;
}

export interface ServersOptions {
  /** Absent = SQLite in one data folder. */
  database?: string | undefined;
  /** The program to run; default: the sources of this checkout. */
  command?: string;
  /** Where the data of SQLite is; default: in the temporary folder. */
  data?: string | undefined;
  /** Adds the members `desk` and, below it, `till`. */
  isTeam?: boolean;
}

export interface Servers {
  /** Starts one more server; the promise resolves when it is ready. */
  start(port?: number): Promise<Server>;
  /** Moves the wall clock of the server on a port; 0 = the right time. */
  setClock(port: number, offsetMs: number): void;
  /** Ids of the counting tool's effects, in order. */
  effects(): string[];
  tokenOf(name: string): Promise<string>;
  close(): Promise<void>;
}

/** `pay` counts too, after an approval. */
const TOOLS = `tools:
${['count', 'pay'].map(toEntry).join('')}`;

function toEntry(name: string): string {
  return `  - name: ${name}
    type: function
    file: count.ts
    function: default
    description: Counts an id.
    approve: ${name === 'pay'}
    parameters: { type: object, properties: { id: { type: string } }, required: [id] }
    env: { EFFECTS: "\${EFFECTS}" }
`;
}

const AGENT = `name: counter
instructions: Count.
model:
  provider: openai_compatible
  name: fake
  endpoint: \${MODEL_URL}
  timeout_seconds: 60
loop: { iteration_timeout_seconds: 60 }
${TOOLS}server:
  max_active_turns: 1000
  max_active_turns_per_user: 1000
  max_streams_per_user: 1000
  rate_limit: { turns_per_minute: 1000000 }
  auth: { jwt: { secret: "\${JWT_SECRET}", issuer: test, audience: holodeck } }
`;
const TEAM = `agents: { desk: { file: desk.yaml } }
sub_agents: [desk]
handoffs: [desk]
`;
const DESK = `name: desk
description: Counts for others
instructions: Count.
${TOOLS}agents: { till: { description: Counts for the desk, instructions: Count., tools: [count, pay] } }
sub_agents: [till]
`;
const TOOL = `import { appendFileSync } from 'node:fs';
export default ({ id }: { id: string }) => {
  appendFileSync(process.env.EFFECTS ?? '', id + '\\n');
  return { counted: id };
};
`;

/** A folder with an agent, a counting tool and a model; servers are started from it. */
export async function openServers({ database, command = COMMAND, data, isTeam }: ServersOptions): Promise<Servers> {
  const folder = mkdtempSync(join(tmpdir(), 'holodeck-servers-'));
  const effects = join(folder, 'effects.txt');
  mkdirSync(join(folder, 'agent'));
  writeFileSync(effects, '');
  const parts = [AGENT, database ? `database: \${DATABASE}\n` : '', isTeam ? TEAM : ''];
  writeFileSync(join(folder, 'agent', 'agent.yaml'), parts.join(''));
  writeFileSync(join(folder, 'agent', 'desk.yaml'), DESK);
  writeFileSync(join(folder, 'agent', 'count.ts'), TOOL);
  const model: FakeModel = await startFakeModel();
  const servers: Server[] = [];
  const env = { MODEL_URL: model.url, EFFECTS: effects, JWT_SECRET: SECRET, ...(database && { DATABASE: database }) };
  return {
    async start(port) {
      const server = await startServer({ folder, env, command, data, port: port ?? (await freePort()) });
      servers.push(server);
      return server;
    },
    setClock: (port, offsetMs) => writeFileSync(clockFile(folder, port), String(offsetMs)),
    effects: () => readFileSync(effects, 'utf8').split('\n').filter(Boolean),
    tokenOf: (name) => sign(name),
    async close() {
      await Promise.all(servers.map((server) => server.kill()));
      await model.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const CLOCK = join(import.meta.dirname, 'moved-clock.mjs');

function clockFile(folder: string, port: number): string {
  return join(folder, `clock-${port}`);
}

interface StartOptions {
  folder: string;
  env: Record<string, string>;
  port: number;
  command: string;
  data: string | undefined;
}

async function startServer({ folder, env, port, command, data }: StartOptions): Promise<Server> {
  // A shared database needs no shared folder: each server has a data folder of its own then.
  const own = env.DATABASE ? join(folder, `data-${port}`) : (data ?? join(folder, 'data'));
  const agent = join(folder, 'agent', 'agent.yaml');
  const args = ['--import', CLOCK, command, 'serve', agent, '-p', String(port), '--data', own];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, DATABASE_URL: '', ...env, CLOCK_FILE: clockFile(folder, port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr?.on('data', (piece) => {
    log = (log + piece).slice(-20_000);
  });
  const url = `http://127.0.0.1:${port}`;
  const server: Server = {
    url,
    child,
    log: () => log,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
  await untilReady(server);
  return server;
}

export async function untilReady({ url, child, log }: Server, timeoutMs = 60_000): Promise<void> {
  const until = performance.now() + timeoutMs;
  while (performance.now() < until) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}: ${log()}`);
    const ready = await fetch(`${url}/ready`).then(
      ({ status }) => status === 200,
      () => false,
    );
    if (ready) return;
    await delay(100);
  }
  throw new Error(`the server was not ready within ${timeoutMs} ms: ${log()}`);
}

function sign(name: string): Promise<string> {
  return new SignJWT({ iss: 'test', aud: 'holodeck', sub: name, exp: Math.floor(Date.now() / 1000) + TOKEN_SECONDS })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(SECRET));
}

interface ChatMessage {
  role: string;
  content?: string;
}

interface FakeModel {
  url: string;
  close(): Promise<void>;
}

/** Milliseconds between two words of a slow answer. */
const SLOW_MS = 150;

/**
 * A provider that reads its orders from the newest user message: `count <id> [words]` calls the tool `count` once and
 * then answers, at once or word by word, and so does `pay`; `slow <words>` answers word by word. `to <member> …` gives the
 * rest to a member, `over <member> …` and `back …` hand the conversation over first, where the agent may.
 */
async function startFakeModel(): Promise<FakeModel> {
  const server = http.createServer(async (request, response) => {
    response.on('error', () => {});
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    await answer(JSON.parse(Buffer.concat(pieces).toString()), response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // listens on a port, not on a pipe
  return {
    url: `http://127.0.0.1:${port}/v1`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface ChatRequest {
  messages: ChatMessage[];
  tools?: { function: { name: string } }[];
}

interface ToolCall {
  name: string;
  arguments: Record<string, string>;
}

/** The order without the members that this agent cannot reach, and the call that it asks for now. */
function readOrder({ messages, tools = [] }: ChatRequest): { words: string[]; call?: ToolCall } {
  const index = messages.findLastIndex(({ role }) => role === 'user');
  const isCalled = messages.slice(index + 1).some(({ role }) => role === 'tool');
  const find = (name: string) => tools.some((tool) => tool.function.name === name);
  const [line = ''] = (messages[index]?.content ?? '').split('\n');
  for (let words = line.split(/\s+/); ; ) {
    const [order = '', value = '', ...rest] = words;
    const [name, left] =
      order === 'to'
        ? [`delegate_to_${value}`, rest]
        : order === 'over'
          ? [`hand_over_to_${value}`, rest]
          : order === 'back'
            ? ['hand_back', [value, ...rest]]
            : [order, undefined];
    if (!left) return isCalled || !find(name) ? { words } : { words, call: { name, arguments: { id: value } } };
    const text = order === 'to' ? { task: left.join(' ') } : { reason: line };
    if (find(name) && !isCalled) return { words, call: { name, arguments: text } };
    words = left;
  }
}

async function answer(request: ChatRequest, response: http.ServerResponse): Promise<void> {
  const { words, call } = readOrder(request);
  const [order = '', value = '', length = ''] = words;
  const send = (delta: object, finish: string | null = null) =>
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (call) {
    const { name, arguments: given } = call;
    const id = `call-${name}-${value}`;
    send({ tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: JSON.stringify(given) } }] });
    send({}, 'tool_calls');
  } else {
    const slow = Number(order === 'slow' ? value : length);
    const texts = Array.from({ length: slow }, (_, place) => `word${place} `);
    for (const content of texts) {
      send({ content });
      await delay(SLOW_MS);
      if (response.destroyed) return;
    }
    if (order !== 'slow') send({ content: `Done ${value}.` });
    send({}, 'stop');
  }
  response.end('data: [DONE]\n\n');
}
