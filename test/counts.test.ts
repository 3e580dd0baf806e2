import { spawn } from 'node:child_process';
import { fdatasync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createSqliteStore } from '../src/store/sqlite/sqlite-store.ts';
import { ALICE } from './build.ts';
import { freePort } from './free-port.ts';
import { collect, openRuntime, temporaryFolder } from './runtime.ts';

const ROOT = join(import.meta.dirname, '..');

/** The most that each command loads until it is ready. The numbers go down by hand, and up only with a reason. */
const LIMITS: Record<'chat' | 'serve', Counts> = {
  chat: { modules: 470, bytes: 2_430_000, schemas: 760 },
  serve: { modules: 520, bytes: 2_645_000, schemas: 872 },
};

interface Counts {
  modules: number;
  bytes: number;
  schemas: number;
}

/** Runs a command from its sources until it is ready, or until its input ends, and returns its counts. */
async function countStart(args: string[], isReady?: RegExp): Promise<Counts> {
  const folder = temporaryFolder();
  const file = join(folder, 'counts.json');
  const counter = pathToFileURL(join(ROOT, 'test/fixtures/count-start.ts')).href;
  const command = ['--import', counter, join(ROOT, 'bin/holodeck.js'), ...args, '--data', folder];
  const child = spawn(process.execPath, command, {
    env: { ...process.env, START_COUNTS: file },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  child.stdin.end();
  if (isReady) await expect.poll(() => text, { timeout: 50_000 }).toMatch(isReady);
  if (isReady) child.kill('SIGTERM');
  await ended;
  return JSON.parse(readFileSync(file, 'utf8'));
}

describe('the start of a command loads no more than its limits', () => {
  it.each([{ command: 'chat' as const }, { command: 'serve' as const, isReady: /serves/ }])(
    '$command',
    async ({ command, isReady }) => {
      const port = isReady ? ['-p', String(await freePort())] : [];
      const counts = await countStart([command, ...port], isReady);
      const limits = LIMITS[command];
      const over = (['modules', 'bytes', 'schemas'] as const).filter((key) => counts[key] > limits[key]);
      expect({ over, counts }).toEqual({ over: [], counts });
    },
  );
});

/** The most that a turn on a new thread costs in the embedded store. The numbers go down by hand, and up only with a reason. */
const TURNS = [
  { what: 'a turn without tools', calls: 0, most: { commits: 2, flushes: 2, pages: 24, statements: 28 } },
  { what: 'a turn with a tool call', calls: 1, most: { commits: 4, flushes: 4, pages: 40, statements: 46 } },
  {
    what: 'a turn with four calls, one after the other',
    calls: 4,
    most: { commits: 10, flushes: 10, pages: 86, statements: 100 },
  },
];

const CALL = { calls: [{ name: 'echo', arguments: { text: 'a' } }] };

/** Commits of the log and the pages that they append: a frame of the last page of a commit has the size of the database. */
function readLog(folder: string): { commits: number; pages: number } {
  const log = readFileSync(join(folder, 'holodeck.db-wal'));
  const frame = 24 + log.readUInt32BE(8);
  const salt = log.readUInt32BE(16);
  const count = { commits: 0, pages: 0 };
  for (let at = 32; at + frame <= log.length && log.readUInt32BE(at + 8) === salt; at += frame) {
    count.pages += 1;
    if (log.readUInt32BE(at + 4) > 0) count.commits += 1;
  }
  return count;
}

/** Requests of other processes are read every 250 ms, so that their number is that of a slow machine's seconds. */
const isTimed = (statement: unknown) =>
  statement instanceof StatementSync && statement.sourceSQL.startsWith('SELECT 1 FROM requests');

describe('a turn costs the store no more than its limits', () => {
  it.each(TURNS)('$what', async ({ calls, most }) => {
    const folder = temporaryFolder();
    let flushes = 0;
    const flush = async (file: number) => {
      flushes += 1;
      await promisify(fdatasync)(file);
    };
    const replies = [...Array.from({ length: calls }, () => CALL), 'Done.'];
    const { runtime } = await openRuntime({
      replies: [...replies, ...replies],
      store: createSqliteStore({ folder, flush }),
      folder,
    });
    const run = async (threadId: string) =>
      collect(await runtime.chat(ALICE, { agent: 'helper', message: 'Go on.', threadId }));
    await run('first');
    const spies = (['run', 'get', 'all'] as const).map((name) => vi.spyOn(StatementSync.prototype, name));
    onTestFinished(() => void vi.restoreAllMocks());
    const before = { ...readLog(folder), flushes };
    const events = await run('second');
    expect(events.at(-1)).toMatchObject({ type: 'turn-end', result: { status: 'completed' } });
    const { commits, pages } = readLog(folder);
    const counts = {
      commits: commits - before.commits,
      flushes: flushes - before.flushes,
      pages: pages - before.pages,
      statements: spies.flatMap((spy) => spy.mock.contexts.filter((statement) => !isTimed(statement))).length,
    };
    const over = (['commits', 'flushes', 'pages', 'statements'] as const).filter((key) => counts[key] > most[key]);
    expect({ over, counts }).toEqual({ over: [], counts });
  });
});
