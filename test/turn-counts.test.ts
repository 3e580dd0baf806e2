import { fdatasyncSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ScriptedReply } from '../src/models/scripted.ts';
import { LOG_BYTES } from '../src/store/sqlite/log-file.ts';
import { createSqliteStore } from '../src/store/sqlite/sqlite-store.ts';
import { ALICE } from './build.ts';
import { collect, openRuntime, temporaryFolder } from './runtime.ts';
import { delegateTo, openTeam } from './team/team.ts';

interface Counts {
  flushes: number;
  commits: number;
  /** Pages that the commits append to the log. */
  pages: number;
  statements: number;
  /** SQL that is compiled; a warm process has all of it. */
  compiled: number;
  /** Texts made of values, and values read from texts. */
  toJson: number;
  fromJson: number;
}

const echo = { calls: [{ name: 'echo', arguments: {} }] };

interface Turn {
  replies: readonly ScriptedReply[];
  /** Adds a member, whose only reply is a text. */
  isTeam?: boolean;
}

const ALONE: Turn = { replies: [{ text: 'Hello.' }] };
const CALLING: Turn = { replies: [echo, { text: 'Hello.' }] };
const DELEGATING: Turn = {
  replies: [{ calls: [delegateTo('clerk', 'Say hello.')] }, { text: 'Hello.' }],
  isTeam: true,
};

/** The most that a warm turn asks of the disk, of SQLite and of JSON. The numbers go down by hand, and up only with a reason. */
const LIMITS: readonly (Turn & { turn: string; limits: Counts })[] = [
  {
    turn: 'without tools',
    ...ALONE,
    limits: { flushes: 2, commits: 2, pages: 23, statements: 19, compiled: 0, toJson: 10, fromJson: 0 },
  },
  {
    turn: 'with one tool call',
    ...CALLING,
    limits: { flushes: 4, commits: 4, pages: 37, statements: 35, compiled: 0, toJson: 22, fromJson: 1 },
  },
  {
    turn: 'of four steps',
    replies: [echo, echo, echo, echo, { text: 'Hello.' }],
    limits: { flushes: 10, commits: 10, pages: 81, statements: 83, compiled: 0, toJson: 58, fromJson: 4 },
  },
  {
    turn: 'that delegates',
    ...DELEGATING,
    limits: { flushes: 7, commits: 7, pages: 66, statements: 62, compiled: 0, toJson: 34, fromJson: 3 },
  },
];

/** Counts one turn in a new conversation, after two that warm the process up. */
async function countTurn({ replies, isTeam = false }: Turn): Promise<Counts> {
  const counts = { flushes: 0, commits: 0, pages: 0, statements: 0, compiled: 0, toJson: 0, fromJson: 0 };
  const flush = async (file: number) => {
    counts.flushes++;
    fdatasyncSync(file);
  };
  const folder = temporaryFolder();
  const store = createSqliteStore({ folder, flush });
  const script = { lead: (step: number) => replies[step] ?? '', 'lead/clerk': () => 'Hello.' };
  const { runtime } = isTeam
    ? await openTeam({ script, sub_agents: ['clerk'], members: { clerk: {} }, folder, store })
    : await openRuntime({ replies: Array.from({ length: 3 }, () => replies).flat(), folder, store });
  const agent = runtime.agents[0]?.name ?? '';
  const turn = async () => collect(await runtime.chat(ALICE, { agent, message: 'Hi' }));
  await turn();
  // The log grows once, a second after its opening, with a flush of its own. The next commit waits for it.
  await expect.poll(() => statSync(join(folder, 'holodeck.db-wal')).size).toBeGreaterThanOrEqual(LOG_BYTES);
  await turn();
  counts.flushes = 0;
  const pages = pagesOf(folder);
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
  for (const name of ['run', 'get', 'all'])
    count(StatementSync.prototype, name, (self) => {
      if (!(self instanceof StatementSync) || self.sourceSQL.startsWith(TIMED)) return;
      counts.statements++;
      if (self.sourceSQL === 'COMMIT') counts.commits++;
    });
  count(DatabaseSync.prototype, 'prepare', () => counts.compiled++);
  count(JSON, 'stringify', () => counts.toJson++);
  count(JSON, 'parse', () => counts.fromJson++);
  await turn();
  vi.restoreAllMocks();
  counts.pages = pagesOf(folder) - pages;
  return counts;
}

/** Requests of other processes are read every 250 ms, so that their number is that of a slow machine's seconds. */
const TIMED = 'SELECT 1 FROM requests';

/** Pages that the log of SQLite holds: the frames since it began anew. */
function pagesOf(folder: string): number {
  const log = readFileSync(join(folder, 'holodeck.db-wal'));
  const frame = 24 + log.readUInt32BE(8);
  const salt = log.readUInt32BE(16);
  let pages = 0;
  for (let at = 32; at + frame <= log.length && log.readUInt32BE(at + 8) === salt; at += frame) pages++;
  return pages;
}

const counted = new Map<Turn['replies'], Promise<Counts>>();

function countOnce(turn: Turn): Promise<Counts> {
  const counts = counted.get(turn.replies) ?? countTurn(turn);
  counted.set(turn.replies, counts);
  return counts;
}

describe('a turn asks no more of the disk than its limits', () => {
  it.each(LIMITS)('$turn', async ({ limits, ...turn }) => {
    const counts = await countOnce(turn);
    const over = (Object.keys(limits) as (keyof Counts)[]).filter((key) => counts[key] > limits[key]);
    expect({ over, counts }).toEqual({ over: [], counts });
  });

  it('a delegation writes at most twice as often as the turn of its member alone, beside its call', async () => {
    const [alone, calling, delegating] = [
      await countOnce(ALONE),
      await countOnce(CALLING),
      await countOnce(DELEGATING),
    ];
    for (const key of ['flushes', 'commits'] as const)
      expect(delegating[key] - calling[key], key).toBeLessThanOrEqual(2 * alone[key]);
  });
});
