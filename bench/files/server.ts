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
  /** A page that several processes share, such as Node's own code, counts once for all of them. */
  shared: number;
  /** Such a page counts once for each of them. */
  resident: number;
}

/** The real command, serving the agent that ships. */
export interface ServedAgent {
  send(files: readonly SentFile[]): Promise<Answered>;
  health(): Promise<number>;
  /** Memory of the server and everything that it started. */
  memory(): Memory;
  stop(): Promise<void>;
}

export async function serveAgent(): Promise<ServedAgent> {
  const data = mkdtempSync(join(tmpdir(), 'holodeck-bench-'));
  const port = await freePort();
  const command = ['bin/holodeck.js', 'serve', '-p', String(port), '--data', data];
  const child = spawn(process.execPath, command, { cwd: ROOT, stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  await untilReady(url);
  return {
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
      rmSync(data, { recursive: true, force: true });
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
