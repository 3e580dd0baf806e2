import { fdatasyncSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ScriptedReply } from '../src/models/scripted.ts';
import { LOG_BYTES } from '../src/store/sqlite/log-file.ts';
import { createSqliteStore } from '../src/store/sqlite/sqlite-store.ts';
import { ALICE } from './build.ts';
import { collect, openRuntime, temporaryFolder } from './runtime.ts';

interface Counts {
  flushes: number;
  commits: number;
  /** SQL that is compiled; a warm process has all of it. */
  compiled: number;
  /** Texts made of values, and values read from texts. */
  toJson: number;
  fromJson: number;
}

const echo = { calls: [{ name: 'echo', arguments: {} }] };

/** The most that a warm turn asks of the disk, of SQLite and of JSON. The numbers go down by hand, and up only with a reason. */
const LIMITS: readonly { turn: string; replies: readonly ScriptedReply[]; limits: Counts }[] = [
  {
    turn: 'without tools',
    replies: [{ text: 'Hello.' }],
    limits: { flushes: 2, commits: 2, compiled: 0, toJson: 10, fromJson: 2 },
  },
  {
    turn: 'with one tool call',
    replies: [echo, { text: 'Hello.' }],
    limits: { flushes: 4, commits: 4, compiled: 0, toJson: 26, fromJson: 3 },
  },
  {
    turn: 'of four steps',
    replies: [echo, echo, echo, echo, { text: 'Hello.' }],
    limits: { flushes: 10, commits: 10, compiled: 0, toJson: 74, fromJson: 6 },
  },
];

/** Counts one turn in a new conversation, after two that warm the process up. */
async function countTurn(replies: readonly ScriptedReply[]): Promise<Counts> {
  const counts = { flushes: 0, commits: 0, compiled: 0, toJson: 0, fromJson: 0 };
  const flush = async (file: number) => {
    counts.flushes++;
    fdatasyncSync(file);
  };
  const folder = temporaryFolder();
  const store = createSqliteStore({ folder, flush });
  const { runtime } = await openRuntime({ replies: Array.from({ length: 3 }, () => replies).flat(), folder, store });
  const turn = async () => collect(await runtime.chat(ALICE, { agent: 'helper', message: 'Hi' }));
  await turn();
  // The log grows once, a second after its opening, with a flush of its own. The next commit waits for it.
  await expect.poll(() => statSync(join(folder, 'holodeck.db-wal')).size).toBeGreaterThanOrEqual(LOG_BYTES);
  await turn();
  counts.flushes = 0;
  const count = (owner: object, name: string, note: (self: unknown) => void) => {
    const original = Reflect.get(owner, name);
    // The cast is safe: only methods are counted.
    vi.spyOn(owner as Record<string, (...args: unknown[]) => unknown>, name).mockImplementation(function (
      this: unknown,
      ...args
    ) {
      note(this);
      return original.apply(this, args);
    });
  };
  onTestFinished(() => void vi.restoreAllMocks());
  count(StatementSync.prototype, 'run', (self) => {
    if (self instanceof StatementSync && self.sourceSQL === 'COMMIT') counts.commits++;
  });
  count(DatabaseSync.prototype, 'prepare', () => counts.compiled++);
  count(JSON, 'stringify', () => counts.toJson++);
  count(JSON, 'parse', () => counts.fromJson++);
  await turn();
  vi.restoreAllMocks();
  return counts;
}

describe('a turn asks no more of the disk than its limits', () => {
  it.each(LIMITS)('$turn', async ({ replies, limits }) => {
    const counts = await countTurn(replies);
    const over = (Object.keys(limits) as (keyof Counts)[]).filter((key) => counts[key] > limits[key]);
    expect({ over, counts }).toEqual({ over: [], counts });
  });
});
