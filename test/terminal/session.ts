import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pty from '@lydell/node-pty';
import headless from '@xterm/headless';
import { expect, onTestFinished } from 'vitest';
import { COMMAND } from '../command.ts';
import { EVENT_STREAM, type FakeModelServer, type FakeReply, startModelServer } from '../fakes/model-server.ts';
import { temporaryFolder } from '../runtime.ts';

/** A program in a pseudo-terminal, and the screen that a person sees. */
export interface Session extends Emulator {
  /** Sends keys like a keyboard. */
  type(keys: string): void;
  /** Waits until the screen shows this, and returns the whole screen of that moment. */
  until(text: string | RegExp): Promise<string>;
  resize(columns: number, rows: number): void;
  /** Changes only the window; the program keeps writing for the old size until `resize`. */
  resizeUnheard(columns: number, rows: number): void;
  kill(signal: string): void;
  readonly pid: number;
  /** The bytes received so far. */
  readonly bytes: string;
  readonly exit: Promise<number>;
}

export interface SessionOptions {
  columns?: number;
  rows?: number;
  env?: Record<string, string>;
}

export function startSession(args: string[], options: SessionOptions = {}): Session {
  const { columns = 100, rows = 30, env = {} } = options;
  const emulator = createEmulator(columns, rows);
  const child = pty.spawn(process.execPath, [COMMAND, ...args], {
    cols: columns,
    rows,
    name: env.TERM ?? 'xterm-256color',
    env: { ...(process.env as Record<string, string>), NO_COLOR: '1', TERM_PROGRAM: 'vscode', ...env }, // every value of a process's own environment is text
  });
  let bytes = '';
  child.onData((data) => {
    bytes += data;
    emulator.write(data);
  });
  const exit = new Promise<number>((resolve) => child.onExit(({ exitCode }) => resolve(exitCode)));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  return {
    ...emulator,
    type: (keys) => child.write(keys),
    async until(text) {
      const matches = (shown: string) => (typeof text === 'string' ? shown.includes(text) : text.test(shown));
      let shown = '';
      const look = async () => {
        shown = await emulator.text();
        return matches(shown) || shown;
      };
      await expect.poll(look, { timeout: 25_000 }).toBe(true);
      return shown;
    },
    resize(newColumns, newRows) {
      child.resize(newColumns, newRows);
      emulator.resize(newColumns, newRows);
    },
    resizeUnheard: emulator.resize,
    kill: (signal) => child.kill(signal),
    pid: child.pid,
    get bytes() {
      return bytes;
    },
    exit,
  };
}

/** A chunk of an OpenAI-compatible stream. */
const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

/** Sends texts one by one; waits for promises among them. */
export function say(...parts: (string | Promise<unknown>)[]): FakeReply {
  return async (response) => {
    response.writeHead(200, EVENT_STREAM);
    for (const part of parts) {
      if (typeof part === 'string') response.write(chunk({ content: part }));
      else await part;
    }
    const usage = { prompt_tokens: 12, completion_tokens: 7, total_tokens: 19 };
    response.write(`${chunk({}, 'stop')}data: ${JSON.stringify({ choices: [], usage })}\n\n`);
    response.end('data: [DONE]\n\n');
  };
}

/** Requests tool calls. */
export function call(...calls: [name: string, args: object][]): FakeReply {
  const tool_calls = calls.map(([name, args], index) => ({
    index,
    id: `c${index}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }));
  return (response) => {
    response.writeHead(200, EVENT_STREAM);
    response.write(chunk({ tool_calls }) + chunk({}, 'tool_calls'));
    response.end('data: [DONE]\n\n');
  };
}

/** `look` runs while its city is held, see {@link World.hold}. */
const TOOLS = `
import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

export async function look({ city }) {
  while (existsSync(new URL('held-' + city, import.meta.url))) await setTimeout(20);
  return { city, sky: 'clear' };
}
export function disks() {
  return { disks: [{ id: '77aa', name: 'Backup' }, { id: '5e1f', name: 'Photos of 2019' }] };
}
export function wipe({ disk }) {
  return { wiped: disk };
}
`;

const AGENT = `name: helper
model: { provider: openai_compatible, name: fake, endpoint: "\${MODEL_URL}" }
instructions: Help.
starters: [how is the weather?, wipe the disk]
tools:
  - { name: look, type: function, file: tools.mjs, function: look, description: Looks at the sky., parameters: { type: object, properties: { city: { type: string } } } }
  - { name: disks, type: function, file: tools.mjs, function: disks, description: Lists disks., parameters: { type: object, properties: {} } }
  - { name: wipe, type: function, file: tools.mjs, function: wipe, description: Wipes a disk., approve: true, parameters: { type: object, properties: { disk: { type: string } } } }
`;

export interface World {
  folder: string;
  agent: string;
  data: string;
  model: FakeModelServer;
  /** Makes `look` run for this city until the returned function is called. */
  hold(city: string): () => void;
  /** Starts `holodeck chat` with this agent. */
  chat(args?: string[], options?: SessionOptions): Session;
}

/** An agent in its own folder, with a model that plays the replies. */
export async function openWorld(replies: readonly FakeReply[]): Promise<World> {
  const folder = temporaryFolder();
  const model = await startModelServer(replies);
  onTestFinished(() => model[Symbol.asyncDispose]());
  const home = join(folder, 'agent');
  mkdirSync(home);
  writeFileSync(join(home, 'agent.yaml'), AGENT);
  writeFileSync(join(home, 'tools.mjs'), TOOLS);
  const agent = join(home, 'agent.yaml');
  const data = join(folder, 'data');
  const env = { MODEL_URL: `${model.url}/v1` };
  return {
    folder,
    agent,
    data,
    model,
    hold(city) {
      const path = join(home, `held-${city}`);
      writeFileSync(path, '');
      return () => rmSync(path);
    },
    chat: (args = [], options = {}) =>
      startSession(['chat', agent, '--data', data, ...args], { ...options, env: { ...env, ...options.env } }),
  };
}

/** A terminal without a window: it shows what a person would see after these bytes. */
export interface Emulator {
  write(text: string): void;
  resize(columns: number, rows: number): void;
  /** All text, including lines that have scrolled out. Lines that the terminal wrapped are joined. */
  text(): Promise<string>;
  lines(): Promise<string[]>;
}

/** `breaksCursorRow`: when the window gets narrower, the row of the cursor is wrapped too. */
export function createEmulator(columns = 80, rows = 24, breaksCursorRow = false): Emulator {
  const terminal = new headless.Terminal({
    cols: columns,
    rows,
    scrollback: 10_000,
    reflowCursorLine: breaksCursorRow,
    allowProposedApi: true,
    convertEol: true,
  });
  const settled = () => new Promise<void>((resolve) => terminal.write('', resolve));
  const lines = async () => {
    await settled();
    const { active } = terminal.buffer;
    const all: string[] = [];
    for (let index = 0; index < active.length; index++) {
      const line = active.getLine(index);
      const isBroken = active.getLine(index + 1)?.isWrapped ?? false;
      const text = line?.translateToString(!isBroken) ?? '';
      if (line?.isWrapped) all.push(`${all.pop()}${text}`);
      else all.push(text);
    }
    return all.slice(0, all.findLastIndex((line) => line !== '') + 1);
  };
  return {
    write: (text) => terminal.write(text),
    resize: (newColumns, newRows) => terminal.resize(newColumns, newRows),
    lines,
    text: async () => (await lines()).join('\n'),
  };
}
