import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { homedir } from 'node:os';
import { join, resolve as resolvePath } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Scenario, toPrompt } from './scenario.ts';

/** A floor, the present build, an earlier one, the present one without a store, or another runtime; `-kept` writes to the disk. */
export type Kind = 'floor' | 'floor-kept' | 'ours' | 'before' | 'without' | 'peer' | 'peer-kept';

export interface Contestant {
  name: string;
  kind: Kind;
  file: string;
  port: number;
  path: string;
  env?: NodeJS.ProcessEnv;
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

interface Rivals {
  peers?: readonly Peer[];
  /** The folder of an earlier build that takes part too. */
  before?: string | undefined;
  /** The folder in which the other servers keep their data. */
  dataFolder?: string;
}

/** The floors, HoloDeck through two of its protocols, and other runtimes. */
export function contestants(firstPort: number, { peers = [], before, dataFolder }: Rivals = {}): Contestant[] {
  const message = (scenario: Scenario): Message => ({ id: 'm', role: 'user', content: toPrompt(scenario) });
  const run = () => ({ threadId: unique(), runId: unique(), state: {}, tools: [], context: [] });
  const plain: Contestant['body'] = (scenario, earlier) => ({ messages: [...earlier, message(scenario)] });
  const genkit: Contestant['body'] = (scenario, earlier) => ({ data: plain(scenario, earlier) });
  const agui: Contestant['body'] = (scenario, earlier) => ({ ...run(), messages: [...earlier, message(scenario)] });
  const rest: Contestant['body'] = (scenario, earlier) =>
    earlier.length > 0 ? undefined : { message: toPrompt(scenario) };
  const fronts = (name: string, kind: Kind, file: string) => [
    { name: `${name} ag-ui`, kind, file, path: '/awp', body: agui },
    { name: `${name} rest`, kind, file, path: '/agent/bench/chat/stream', body: rest },
  ];
  const kept = { path: '/', body: plain, env: { BENCH_DATA: dataFolder } };
  const all: Omit<Contestant, 'port'>[] = [
    { name: 'floor', kind: 'floor', file: 'floor.mjs', path: '/', body: plain },
    { ...kept, name: 'flushing floor', kind: 'floor-kept', file: 'floor.mjs' },
    ...fronts('holodeck', 'ours', 'serve.mjs'),
    ...(before ? fronts('before', 'before', join(before, 'bench/serve.mjs')) : []),
    ...(before ? [] : fronts('without a store', 'without', 'serve-no-store.ts')),
    ...peers.flatMap(({ name, file, store }): Omit<Contestant, 'port'>[] => [
      { name, kind: 'peer', file, path: '/', body: name === 'genkit' ? genkit : plain },
      ...(store ? [{ ...kept, name: `${name} with ${store}`, kind: 'peer-kept' as const, file }] : []),
    ]),
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

export function isOpen(port: number): Promise<boolean> {
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

const SOURCE = join(import.meta.dirname, 'peers');
/** Peers that can keep their data, with the stores that their documentation leads to. */
const STORES: Record<string, string> = { langgraph: 'SQLite', mastra: 'LibSQL' };
const CACHE = process.env.BENCH_CACHE ?? join(homedir(), '.cache', 'holodeck-bench');

interface Peer {
  name: string;
  /** Its server, beside its packages. */
  file: string;
  /** The store in which it keeps its data if BENCH_DATA names a folder. */
  store: string | undefined;
}

/** Installs the other runtimes with the versions of their lock files, once, into a cache folder outside the project. */
export function installPeers(): Peer[] {
  return readdirSync(SOURCE).map((name) => ({
    name,
    file: join(install(name), 'server.mjs'),
    store: STORES[name],
  }));
}

function install(name: string): string {
  const source = join(SOURCE, name);
  const hash = createHash('sha256')
    .update(readFileSync(join(source, 'package-lock.json')))
    .digest('hex');
  const folder = join(CACHE, `${name}-${hash.slice(0, 12)}`);
  if (!existsSync(folder)) {
    console.error(`installing ${name} into ${folder}`);
    const half = `${folder}.half`;
    rmSync(half, { recursive: true, force: true });
    mkdirSync(CACHE, { recursive: true });
    cpSync(source, half, { recursive: true });
    const flags = ['ci', '--no-audit', '--no-fund', '--ignore-scripts'];
    const { status, stderr } = spawnSync('npm', flags, { cwd: half, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${name} could not be installed: ${stderr}`);
    renameSync(half, folder);
  }
  cpSync(join(source, 'server.mjs'), join(folder, 'server.mjs'));
  return folder;
}
