import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SentFile } from './large-files.ts';

const ROOT = join(import.meta.dirname, '..', '..');

export interface Answered {
  ms: number;
  verdicts: { verdict: string; detail: string }[];
}

/** In megabytes. */
export interface Memory {
  /** A page shared by several processes, such as Node's own code, counts once. */
  shared: number;
  /** A shared page counts once per process. */
  resident: number;
}

/** The real command, serving the shipped agent or another one. */
export interface ServedAgent {
  /** Asks an agent and returns the time and the text of its answer. */
  ask(agent: string, message: string): Promise<{ ms: number; content: string }>;
  send(files: readonly SentFile[]): Promise<Answered>;
  health(): Promise<number>;
  /** Memory of the server and all its child processes. */
  memory(): Memory;
  stop(): Promise<void>;
}

/** With a data folder of the caller, that folder stays. */
export async function serveAgent({ file, data: given }: { file?: string; data?: string } = {}): Promise<ServedAgent> {
  const data = given ?? mkdtempSync(join(tmpdir(), 'holodeck-bench-'));
  const port = await freePort();
  const command = ['bin/holodeck.js', 'serve', ...(file ? [file] : []), '-p', String(port), '--data', data];
  const child = spawn(process.execPath, command, { cwd: ROOT, stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  await untilReady(url);
  return {
    async ask(agent, message) {
      const started = performance.now();
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ message });
      const response = await fetch(`${url}/agent/${agent}/chat`, { method: 'POST', headers, body });
      const { content } = (await response.json()) as { content: string }; // as the route is documented
      return { ms: performance.now() - started, content };
    },
    async send(files) {
      const form = new FormData();
      form.append('message', 'show my tasks');
      for (const { name, mime_type, bytes } of files)
        form.append('files', new Blob([new Uint8Array(bytes)], { type: mime_type }), name);
      const started = performance.now();
      const response = await fetch(`${url}/agent/todo-assistant/chat`, { method: 'POST', body: form });
      const answer = (await response.json()) as { files?: Answered['verdicts'] }; // as the route is documented
      return { ms: performance.now() - started, verdicts: answer.files ?? [] };
    },
    async health() {
      const started = performance.now();
      await (await fetch(`${url}/health`)).text();
      return performance.now() - started;
    },
    memory: () => treeMemory(child),
    async stop() {
      child.kill('SIGTERM');
      await new Promise((resolve) => child.once('exit', resolve));
      if (given === undefined) rmSync(data, { recursive: true, force: true });
    },
  };
}

async function untilReady(url: string): Promise<void> {
  for (;;) {
    const isReady = await fetch(`${url}/ready`)
      .then((response) => response.ok)
      .catch(() => false);
    if (isReady) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function treeMemory({ pid }: ChildProcess): Memory {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (/^\d+$/.test(name)) parents.set(Number(name), parentOf(name));
  }
  const isOurs = (process: number | undefined): boolean =>
    process !== undefined && process > 1 && (process === pid || isOurs(parents.get(process)));
  const sum = { shared: 0, resident: 0 };
  for (const process of [...parents.keys()].filter(isOurs)) {
    const { shared, resident } = memoryOf(process);
    sum.shared += shared;
    sum.resident += resident;
  }
  return sum;
}

function parentOf(process: string): number {
  try {
    return Number(readFileSync(`/proc/${process}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]);
  } catch {
    return 0;
  }
}

function memoryOf(process: number): Memory {
  try {
    const rollup = readFileSync(`/proc/${process}/smaps_rollup`, 'utf8');
    const megabytes = (name: string) =>
      (Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(rollup)?.[1] ?? 0) * 1024) / 1e6;
    return { shared: megabytes('Pss'), resident: megabytes('Rss') };
  } catch {
    return { shared: 0, resident: 0 };
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
