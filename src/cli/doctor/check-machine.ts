import { accessSync, constants, existsSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AppError } from '../../errors.ts';
import { accessCommand, makeCommand, shellWord } from '../../private-folder.ts';
import { askLoopback } from '../../runtime/local-servers.ts';
import { openAdmin } from '../../runtime/open-store.ts';
import { Health } from '../../schema/server.ts';
import { nextFreePort } from '../../server/http/listen.ts';
import { commandText } from '../called-as.ts';
import { count } from '../print.ts';

/** A line of `holodeck doctor`. */
export interface Finding {
  area: string;
  state: 'ok' | 'warning' | 'problem';
  text: string;
  /** The command or line that fixes it. */
  remedy?: string;
}

export function ok(area: string, text: string): Finding {
  return { area, state: 'ok', text };
}

export function warning(area: string, text: string, remedy: string): Finding {
  return { area, state: 'warning', text, remedy };
}

export function problem(area: string, text: string, remedy: string): Finding {
  return { area, state: 'problem', text, remedy };
}

const LEAST_NODE = 24;
const UPDATE = 'npm install -g holodeck@latest';
const LEAST_BYTES = 100_000_000;
const FEW_BYTES = 1_000_000_000;

export function checkNode(version = process.versions.node): Finding {
  if (Number.parseInt(version, 10) >= LEAST_NODE) return ok('node', `Node ${version}`);
  return problem('node', `Node ${version} is too old`, `npx -p node@${LEAST_NODE} -p holodeck holodeck`);
}

/** A clock that is wrong by years makes certificates and tokens invalid. */
export function checkClock(now: Date): Finding {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (now.getUTCFullYear() < 2026)
    return problem('clock', `The clock shows ${now.toISOString()}`, 'Set the date and time of this machine');
  return ok('clock', `${now.toISOString().slice(0, 16)}Z, zone ${zone}`);
}

/** The data folder, or the nearest folder above it that exists, can be written. */
export function checkFolder(folder: string): Finding[] {
  const there = nearest(folder);
  const stats = statSync(there);
  if (!stats.isDirectory())
    return [problem('data', `${there} is a file, not a folder`, 'Choose another folder with --data, or move the file')];
  const locked = findLocked(there, folder);
  if (locked && there !== folder) {
    const text = `${folder} cannot be created, because ${there} cannot be written`;
    return [problem('data', text, `Choose another folder with --data, or create it: ${makeCommand(folder)}`)];
  }
  const access = locked && `${accessCommand(folder, locked)}, or choose another folder with --data`;
  if (access) return [problem('data', `${locked} cannot be written`, access)];
  const isOpen = there === folder && process.platform !== 'win32' && (stats.mode & 0o077) !== 0;
  const shared = warning('data', `${folder} is open to other users`, `chmod 700 ${shellWord(folder)}`);
  return [isOpen ? shared : ok('data', folder), checkDisk(statfsSync(there))];
}

/** The folder that is there, or a file of the data folder, that this account may not write. */
function findLocked(there: string, folder: string): string | undefined {
  const { R_OK, W_OK, X_OK } = constants;
  if (!canAccess(there, R_OK | W_OK | X_OK)) return there;
  const files = there === folder ? readdirSync(folder).map((name) => join(folder, name)) : [];
  return files.find((file) => !canAccess(file, R_OK | W_OK));
}

function canAccess(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return !existsSync(path); // a file of a running process may be gone by now
  }
}

function nearest(path: string): string {
  return existsSync(path) ? path : nearest(dirname(path));
}

export function checkDisk({ bavail, bsize }: { bavail: number; bsize: number }): Finding {
  const bytes = bavail * bsize;
  const text = `${(bytes / 1e9).toFixed(1)} GB free`;
  const remedy = 'Free some space, or choose another folder with --data';
  if (bytes < LEAST_BYTES) return problem('disk', text, remedy);
  return bytes < FEW_BYTES ? warning('disk', text, remedy) : ok('disk', text);
}

export async function checkDatabase(where: { database: string | undefined; folder: string }): Promise<Finding> {
  if (where.database === undefined && !existsSync(where.folder)) return ok('database', 'is made by the first message');
  try {
    const admin = await openAdmin(where);
    try {
      const { kind, version, newest, conversations, runners } = await admin.status();
      if (version > newest)
        return problem('database', `was written by a newer HoloDeck (${version}, known ${newest})`, UPDATE);
      const later = version < newest ? `, version ${version}; the next start brings it to ${newest}` : '';
      const held = `${count(conversations, 'conversation')}, ${count(runners, 'running process')}`;
      return ok('database', `${kind}${later}, ${held}`);
    } finally {
      await admin.close();
    }
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const isKnown = error instanceof AppError;
    if (isKnown && error.code === 'store_too_new') return problem('database', text, UPDATE);
    const remedy = where.database
      ? 'Check database and that its server runs'
      : `${commandText(['db', 'restore', '--data', where.folder])} <backup>, or move ${join(where.folder, 'holodeck.db')} away to start empty`;
    return problem('database', isKnown ? text : `cannot be read: ${text}`, remedy);
  }
}

export async function checkPort(address: string, port: number, file?: string): Promise<Finding> {
  const host = address.replace(/^\[|\]$/g, '');
  const free = await nextFreePort(host, port);
  if (free === port) return ok('port', `${port} is free`);
  const names = await askAgents(host, port);
  if (names) return ok('port', `${port} is used by HoloDeck, which serves ${names.join(', ')}`);
  const parts = ['serve', ...(file ? [file] : []), '-p', String(free ?? '<port>')];
  return warning('port', `${port} is in use`, commandText(parts));
}

/** The agents of a HoloDeck server at this address; undefined for another program. */
async function askAgents(host: string, port: number): Promise<string[] | undefined> {
  const own = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
  const url = new URL(`http://${own.includes(':') ? `[${own}]` : own}:${port}/health`);
  const health = Health.safeParse(await askLoopback({ url }));
  return health.data?.agents.map(({ name }) => name);
}
