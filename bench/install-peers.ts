/** Installs the other runtimes with the versions of their lock files, once, into a cache folder outside the project. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const SOURCE = join(import.meta.dirname, 'peers');
const CACHE = process.env.BENCH_CACHE ?? join(homedir(), '.cache', 'holodeck-bench');

export interface Peer {
  name: string;
  /** Its server, beside its packages. */
  file: string;
}

export function installPeers(): Peer[] {
  return readdirSync(SOURCE).map((name) => ({ name, file: join(install(name), 'server.mjs') }));
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
