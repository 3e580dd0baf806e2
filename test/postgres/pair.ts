import { spawnSync } from 'node:child_process';
import { chownSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import postgres from 'postgres';
import { freePort } from '../free-port.ts';
import { openSmallDisk, type SmallDisk } from '../small-disk.ts';
import { asUser, createNode, findBinaries, initData, makeClusterFolder, type Node, startGuard } from './cluster.ts';

/** A PostgreSQL and its synchronous replica. */
export interface Pair {
  ports: readonly [number, number];
  /** The URL of the one that accepts writes. */
  primaryUrl(): string;
  /** Ends the primary as a crash does, and starts it again. */
  restart(): Promise<void>;
  /** Ends the process of one connection as the system does when memory is short; the server then recovers. */
  killBackend(): Promise<void>;
  /** Ends the primary as a crash does, makes the replica the primary, and the old one its replica. */
  promote(): Promise<void>;
  /** Starts the primary if a full disk ended it. */
  repair(): Promise<void>;
  /** The file system of both; absent where this process may not mount one. */
  disk: SmallDisk | undefined;
  stop(): Promise<void>;
}

const DISK_MB = 1_500;
const SETTINGS = {
  wal_level: 'replica',
  max_wal_size: '256MB',
  wal_keep_size: '128MB',
  hot_standby: 'on',
  wal_retrieve_retry_interval: '200ms',
  shared_buffers: '64MB',
};

export async function startPair({ fsync = false }: { fsync?: boolean } = {}): Promise<Pair> {
  const bin = findBinaries();
  const folder = makeClusterFolder();
  const guard = startGuard(folder);
  const disk = openSmallDisk(join(folder, 'disk'), DISK_MB);
  const place = disk?.folder ?? folder;
  const settings = { ...SETTINGS, fsync: String(fsync) };
  const make = async (name: string) => createNode({ bin, data: join(place, name), port: await freePort(), settings });
  let primary = await make('data-1');
  let replica = await make('data-2');
  initData(bin, primary.data);
  await primary.start();
  await follow(primary, replica);
  return {
    ports: [primary.port, replica.port],
    primaryUrl: () => primary.url,
    disk,
    async restart() {
      await primary.end('SIGQUIT');
      await primary.start(SYNCHRONOUS);
    },
    killBackend: () => killBackend(primary.url),
    async promote() {
      await primary.end('SIGQUIT');
      await run(replica.url, 'SELECT pg_promote()');
      [primary, replica] = [replica, primary];
      await follow(primary, replica);
    },
    async repair() {
      if (!primary.isRunning()) await primary.start(SYNCHRONOUS);
      if (!replica.isRunning()) await follow(primary, replica);
    },
    async stop() {
      await Promise.all([primary.end('SIGQUIT'), replica.end('SIGQUIT')]);
      disk?.close();
      rmSync(folder, { recursive: true, force: true });
      guard?.stdin?.end();
    },
  };
}

const SYNCHRONOUS = { synchronous_standby_names: '*' };
const STREAMS = "SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'";

/** Makes a replica from a copy of the running primary. From its end on, a commit is answered when both have it. */
async function follow(primary: Node, replica: Node): Promise<void> {
  await run(primary.url, "ALTER SYSTEM SET synchronous_standby_names = ''", 'SELECT pg_reload_conf()');
  rmSync(replica.data, { recursive: true, force: true });
  await copyData(primary, replica.data);
  writeOwn(join(replica.data, 'standby.signal'), '');
  await replica.start({ primary_conninfo: `host=127.0.0.1 port=${primary.port} user=postgres` });
  for (let tries = 0; (await run(primary.url, STREAMS)).length === 0; tries++) {
    if (tries > 300) throw new Error('the replica did not connect within 30 s');
    await delay(100);
  }
  await run(primary.url, "ALTER SYSTEM SET synchronous_standby_names = '*'", 'SELECT pg_reload_conf()');
}

/** A copy by the low-level backup functions: the package has no pg_basebackup. */
async function copyData(primary: Node, target: string): Promise<void> {
  const sql = postgres(primary.url, { max: 1, onnotice: () => {} });
  try {
    await sql`SELECT pg_backup_start('replica', true)`;
    // A file that vanishes while it is copied is made again from the log.
    spawnSync('cp', ['-a', primary.data, target], asUser);
    const [made] = await sql`SELECT labelfile FROM pg_backup_stop(false)`;
    for (const name of ['postmaster.pid', 'postmaster.opts', 'pg_replslot', 'pg_wal']) {
      rmSync(join(target, name), { recursive: true, force: true });
    }
    for (const name of ['pg_wal', 'pg_replslot']) spawnSync('mkdir', ['-m', '700', join(target, name)], asUser);
    writeOwn(join(target, 'backup_label'), String(made?.labelfile));
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** The server renames its files, so they must belong to it. */
function writeOwn(file: string, text: string): void {
  writeFileSync(file, text);
  if (asUser.uid && asUser.gid) chownSync(file, asUser.uid, asUser.gid);
}

const WRITERS =
  "SELECT pid FROM pg_stat_activity WHERE application_name = 'holodeck' ORDER BY state <> 'active', pid LIMIT 1";

async function killBackend(url: string): Promise<void> {
  const [row] = await run(url, WRITERS);
  if (typeof row?.pid === 'number') process.kill(row.pid, 'SIGKILL');
}

/** A server that recovers or starts refuses connections for a while. */
async function run(url: string, ...statements: string[]): Promise<Record<string, unknown>[]> {
  for (let tries = 0; ; tries++) {
    try {
      return await runOnce(url, ...statements);
    } catch (error) {
      if (tries === MOST_TRIES) throw error;
      await delay(100);
    }
  }
}

const MOST_TRIES = 300;

async function runOnce(url: string, ...statements: string[]): Promise<Record<string, unknown>[]> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => {} });
  try {
    let rows: Record<string, unknown>[] = [];
    for (const statement of statements) rows = [...(await sql.unsafe(statement))];
    return rows;
  } finally {
    await sql.end({ timeout: 1 });
  }
}
