import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { resolve as resolvePath } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Peer } from './install-peers.ts';
import { type Scenario, toPrompt } from './scenario.ts';

export interface Contestant {
  name: string;
  file: string;
  port: number;
  path: string;
  /** The request with a scenario after earlier messages; undefined if the client cannot send those. */
  body(scenario: Scenario, earlier: readonly Message[]): object | undefined;
}

export interface Message {
  id: string;
  role: 'user' | 'assistant';
  content: string;
}

export interface Running extends Contestant {
  child: ChildProcess;
}

const unique = () => crypto.randomUUID();

export interface Rivals {
  peers?: readonly Peer[];
  /** HoloDeck with a store that keeps nothing takes part too. */
  hasNoStore?: boolean;
}

/** The floor, HoloDeck through two of its protocols, and other runtimes. */
export function contestants(firstPort: number, { peers = [], hasNoStore = false }: Rivals = {}): Contestant[] {
  const message = (scenario: Scenario): Message => ({ id: 'm', role: 'user', content: toPrompt(scenario) });
  const run = () => ({ threadId: unique(), runId: unique(), state: {}, tools: [], context: [] });
  const plain: Contestant['body'] = (scenario, earlier) => ({ messages: [...earlier, message(scenario)] });
  const genkit: Contestant['body'] = (scenario, earlier) => ({ data: plain(scenario, earlier) });
  const agui: Contestant['body'] = (scenario, earlier) => ({ ...run(), messages: [...earlier, message(scenario)] });
  const rest: Contestant['body'] = (scenario, earlier) =>
    earlier.length > 0 ? undefined : { message: toPrompt(scenario) };
  const fronts = (name: string, file: string) => [
    { name: `${name} ag-ui`, file, path: '/awp', body: agui },
    { name: `${name} rest`, file, path: '/agent/bench/chat/stream', body: rest },
  ];
  const all: Omit<Contestant, 'port'>[] = [
    { name: 'floor', file: 'floor.mjs', path: '/', body: plain },
    ...fronts('holodeck', 'serve.mjs'),
    ...(hasNoStore ? fronts('without a store', 'serve-no-store.ts') : []),
    ...peers.map(({ name, file }) => ({ name, file, path: '/', body: name === 'genkit' ? genkit : plain })),
  ];
  return all.map((one, index) => ({ ...one, port: firstPort + index }));
}

export interface Launch {
  port: number;
  mockPort: number;
  env?: NodeJS.ProcessEnv;
}

export function launch(file: string, { port, mockPort, env: more = {} }: Launch): ChildProcess {
  const mock = `http://127.0.0.1:${mockPort}/v1`;
  const env = { ...process.env, NODE_ENV: 'production', PORT: String(port), MOCK_URL: mock, ...more };
  return spawn(process.execPath, [resolvePath(import.meta.dirname, file)], { env, stdio: 'ignore' });
}

export async function untilOpen(port: number): Promise<void> {
  for (let tries = 0; tries < 5_000; tries++) {
    if (await isOpen(port)) return;
    await wait(2);
  }
  throw new Error(`nothing listens at ${port}`);
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const finish = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => finish(true)).once('error', () => finish(false));
  });
}

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 3_000);
  await ended;
  clearTimeout(timer);
}

/** CPU time of all threads so far; finer than the clock ticks of /proc/…/stat. */
export function cpuMs({ pid }: ChildProcess): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const ns = threads.map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  );
  return ns.reduce((sum, one) => sum + one, 0) / 1e6;
}

export function rssMb({ pid }: ChildProcess): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
