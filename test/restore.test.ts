import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ANN } from '../src/store/contract/fixtures.ts';
import { openSqliteAdmin } from '../src/store/sqlite/admin/admin.ts';
import { createSqliteStore } from '../src/store/sqlite/sqlite-store.ts';
import { openTaskStore } from '../src/tasks/open-task-store.ts';
import { COMMAND } from './command.ts';
import { sweep } from './long.ts';
import { temporaryFolder } from './runtime.ts';

const WRITER = join(import.meta.dirname, 'fixtures', 'hanging-writer.ts');
const KILLER = join(import.meta.dirname, 'fixtures', 'kill-at-step.ts');

async function startWriter(folder: string, count: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [WRITER, folder, String(count)], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(createInterface({ input: child.stdout }), 'line');
  return child;
}

/** Writes to a folder by a process that dies, so that the log keeps its content. */
async function crashAfter(folder: string, count: number): Promise<void> {
  const child = await startWriter(folder, count);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(statSync(join(folder, 'holodeck.db-wal')).size).toBeGreaterThan(0);
}

function holodeck(args: string[], options: { killAt?: number } = {}) {
  const preload = options.killAt === undefined ? [] : ['--import', KILLER];
  const env = { ...process.env, KILL_AT: String(options.killAt) };
  const { status, stdout, stderr } = spawnSync(process.execPath, [...preload, COMMAND, 'db', ...args], {
    env,
    encoding: 'utf8',
  });
  return { status, out: stdout, aside: stderr };
}

/** Titles of a folder's conversations and tasks, as a user sees them. */
async function contents(folder: string): Promise<string[]> {
  const store = createSqliteStore({ folder });
  const tasks = await openTaskStore({ database: undefined, folder });
  const conversations = await store.listConversations(ANN, { limit: 99 });
  const messages = await Promise.all(conversations.map(({ id }) => store.readMessages(ANN, id)));
  const titles = (await tasks.listTasks(ANN.id, { filter: 'all' })).map(({ title }) => title);
  await store.close();
  await tasks.close();
  return [...messages.flat().map(({ content }) => content), ...titles].sort();
}

const base = mkdtempSync(join(tmpdir(), 'holodeck-restore-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

beforeAll(async () => {
  const [folder, copy] = [join(base, 'data'), join(base, 'copy')];
  await crashAfter(folder, 2);
  expect(holodeck(['backup', copy, '--data', folder])).toMatchObject({ status: 0 });
  await crashAfter(folder, 5);
}, 120_000);

/** A folder after a crash, with a copy of an earlier state beside it. */
function crashedFolder() {
  const [folder, copy] = [cloneOf(join(base, 'data')), cloneOf(join(base, 'copy'))];
  return { folder, copy, clone: () => cloneOf(folder) };
}

const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());

describe('holodeck db backup', () => {
  it('refuses a folder without a database, and makes no copy', () => {
    const [folder, copy] = [temporaryFolder(), join(temporaryFolder(), 'copy')];
    expect(holodeck(['backup', copy, '--data', folder])).toEqual({
      status: 1,
      out: '',
      aside: expect.stringContaining(`${folder} holds no database`),
    });
    expect([existsSync(copy), readdirSync(folder)]).toEqual([false, []]);
  });
});

describe('holodeck db restore', { timeout: 240_000 }, () => {
  it('replaces a database and its log after a crash, keeps the old one aside, and prints what it holds', async () => {
    const { folder, copy, clone } = crashedFolder();
    const [old, wanted] = [await contents(clone()), await contents(cloneOf(copy))];
    const { status, out } = holodeck(['restore', copy, '--data', folder]);
    expect(status).toBe(0);
    expect(out).toContain('2 conversations, 2 turns, 4 messages, 2 tasks');
    const kept = join(folder, 'before-restore');
    expect(out).toContain(kept);
    expect(await contents(folder)).toEqual(wanted);
    expect(await contents(kept)).toEqual(old);
    expect(holodeck(['restore', copy, '--data', folder]).out).toContain(join(folder, 'before-restore-2'));
  });

  it('never applies a log whose database was moved away', async () => {
    const { folder, copy } = crashedFolder();
    const wanted = await contents(cloneOf(copy));
    for (const name of ['holodeck.db', 'tasks.db']) renameSync(join(folder, name), join(folder, `${name}.mine`));
    expect(holodeck(['restore', copy, '--data', folder])).toMatchObject({ status: 0 });
    expect(await contents(folder)).toEqual(wanted);
    expect(readdirSync(join(folder, 'before-restore'))).toContain('holodeck.db-wal');
  });

  it('replaces a damaged database and keeps it with its log', async () => {
    const { folder, copy } = crashedFolder();
    const wanted = await contents(cloneOf(copy));
    for (const name of ['holodeck.db', 'holodeck.db-wal']) writeFileSync(join(folder, name), 'garbage '.repeat(900));
    expect(holodeck(['restore', copy, '--data', folder])).toMatchObject({ status: 0 });
    expect(await contents(folder)).toEqual(wanted);
    expect(readdirSync(join(folder, 'before-restore'))).toEqual(
      expect.arrayContaining(['holodeck.db', 'holodeck.db-wal', 'tasks.db']),
    );
  });

  it('includes the log of a copy that was made by copying files', async () => {
    const { folder, clone } = crashedFolder();
    const old = await contents(clone());
    const target = join(temporaryFolder(), 'data');
    expect(holodeck(['restore', folder, '--data', target])).toMatchObject({ status: 0 });
    expect(await contents(target)).toEqual(old);
    expect(existsSync(join(target, 'before-restore'))).toBe(false);
  });

  it('refuses a folder in use, a damaged copy and a copy without data, and changes nothing', async () => {
    const { folder, copy, clone } = crashedFolder();
    const old = await contents(clone());
    const bad = cloneOf(copy);
    const database = join(bad, 'holodeck.db');
    const bytes = readFileSync(database);
    writeFileSync(database, bytes.fill(0x5a, 8_192, bytes.length - 4_096));
    expect(holodeck(['restore', bad, '--data', folder])).toMatchObject({
      status: 1,
      aside: expect.stringContaining('damaged'),
    });
    expect(holodeck(['restore', temporaryFolder(), '--data', folder])).toMatchObject({ status: 1 });
    expect(await contents(clone())).toEqual(old);
    const writer = await startWriter(folder, 0);
    onTestFinished(() => void writer.kill('SIGKILL'));
    const refused = holodeck(['restore', copy, '--data', folder]);
    expect(refused).toMatchObject({ status: 2, aside: expect.stringContaining('in use') });
    writer.kill('SIGKILL');
    await once(writer, 'exit');
    expect(await contents(folder)).toEqual(old);
  });

  it('writes files that only their owner can read', async () => {
    const { folder, copy } = crashedFolder();
    holodeck(['restore', copy, '--data', folder]);
    const modes = [...filesOf(copy), ...filesOf(folder)]
      .filter(({ parentPath }) => !parentPath.endsWith('runners'))
      .map(({ name, parentPath }) => [name, statSync(join(parentPath, name)).mode & 0o777]);
    expect(modes.filter(([, mode]) => mode !== 0o600)).toEqual([]);
  });

  it('leaves the old or the new databases whole when it is killed at any step', async () => {
    const { copy, clone } = crashedFolder();
    const [old, wanted] = [await contents(clone()), await contents(cloneOf(copy))];
    const whole = holodeck(['restore', copy, '--data', clone()], { killAt: -1 });
    const steps = Number(/steps: (\d+)/.exec(whole.aside)?.[1]);
    expect(steps).toBeGreaterThan(10);
    const seen = new Set<string>();
    for (const killAt of sweep([...Array(steps).keys()], 3)) {
      const target = clone();
      expect(holodeck(['restore', copy, '--data', target], { killAt }).status).toBe(null);
      for (const name of ['holodeck.db', 'tasks.db']) expect(isWhole(join(cloneOf(target), name))).toBe(true);
      const found = await contents(target);
      expect([old, wanted], `killed at ${killAt}`).toContainEqual(found);
      seen.add(found.length === old.length ? 'old' : 'new');
      await openSqliteAdmin(target).restore(copy);
      expect(await contents(target)).toEqual(wanted);
    }
    expect([...seen]).toEqual(['old', 'new']);
  });
});

/** A copy of a folder, so that reading leaves the original as it is. */
function cloneOf(folder: string): string {
  const target = join(temporaryFolder(), 'clone');
  cpSync(folder, target, { recursive: true });
  return target;
}

/** True if SQLite itself finds no fault, without any help by our own code. */
function isWhole(path: string): boolean {
  const database = new DatabaseSync(path);
  try {
    return database.prepare('PRAGMA integrity_check').get()?.integrity_check === 'ok';
  } finally {
    database.close();
  }
}
