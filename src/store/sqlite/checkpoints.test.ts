import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Checkpoints, createCheckpoints } from './checkpoints.ts';
import { createLogFile, LOG_BYTES } from './log-file.ts';
import { openDatabase } from './open.ts';

describe('checkpoints', () => {
  let folder: string;
  let database: DatabaseSync;
  let checkpoints: Checkpoints;

  const open = () => openDatabase({ path: join(folder, 'a.db'), migrations: ['CREATE TABLE t (value TEXT) STRICT'] });
  const frames = () => Number(database.prepare('PRAGMA wal_checkpoint(NOOP)').get()?.log);
  const add = (pages: number) => {
    database.prepare('INSERT INTO t VALUES (?)').run('x'.repeat(4_096 * pages));
    return checkpoints.keepShort(pages);
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'holodeck-checkpoints-'));
    database = open();
    database.exec('PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0');
    checkpoints = createCheckpoints(join(folder, 'a.db'));
  });
  afterEach(async () => {
    await checkpoints.close();
    database.close();
    rmSync(folder, { recursive: true });
  });

  it('leave a short log alone, and fold a long one back while writes continue', async () => {
    await add(2_000);
    expect(frames()).toBeGreaterThan(2_000);
    await add(600);
    expect(frames(), 'not waited for').toBeGreaterThan(2_600);
    await expect.poll(frames).toBeLessThan(10);
  });

  it.each([
    ['small', 50, 20_000],
    ['large', 400, 40_000],
  ])('keep the log short under %s commits that never pause', async (_, pages, total) => {
    let longest = 0;
    for (let written = 0; written < total; written += pages) {
      await add(pages);
      longest = Math.max(longest, frames());
      await delay(1);
    }
    expect(longest).toBeLessThan(10_000);
    // A checkpoint may still run; later commits find the log short.
    const framesAfterCommit = async () => {
      await add(1);
      return frames();
    };
    await expect.poll(framesAfterCommit).toBeLessThan(6_000);
  });

  it('block nothing while a reader uses an older state, and continue after it ends', async () => {
    const reader = open();
    await add(10);
    reader.exec('BEGIN');
    expect(reader.prepare('SELECT count(*) AS rows FROM t').get()?.rows).toBe(1);
    for (let written = 0; written < 12_000; written += 200) await add(200);
    expect(frames()).toBeGreaterThan(12_000);
    reader.exec('COMMIT');
    const afterAnother = () => add(1).then(frames);
    await expect.poll(afterAnother, { timeout: 10_000 }).toBeLessThan(1_000);
  });

  it('are retried by another thread if one has died', async () => {
    database.exec('ALTER TABLE meta RENAME TO away');
    for (let written = 0; written < 4_000; written += 400) {
      await add(400);
      await delay(50);
    }
    expect(frames()).toBeGreaterThan(4_000);
    database.exec('ALTER TABLE away RENAME TO meta');
    const afterAnother = () => add(1).then(frames);
    await expect.poll(afterAnother, { timeout: 10_000 }).toBeLessThan(1_000);
  });
});

const add = (database: DatabaseSync, value: string) => void database.prepare('INSERT INTO t VALUES (?)').run(value);
const read = (database: DatabaseSync) =>
  database
    .prepare('SELECT value FROM t')
    .all()
    .map(({ value }) => value);

describe('the log file', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'holodeck-log-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const openFile = (place = folder) =>
    openDatabase({ path: join(place, 'a.db'), migrations: ['CREATE TABLE t (value TEXT) STRICT'] });
  const logOf = (database: DatabaseSync) => createLogFile(database, join(folder, 'a.db'));
  const logBytes = () => statSync(join(folder, 'a.db-wal')).size;

  it('grows without changing earlier or later writes, for other connections too', async () => {
    const [database, other] = [openFile(), openFile()];
    add(database, 'before');
    await logOf(database).grow();
    add(other, 'beside');
    add(database, 'after');
    expect(logBytes()).toBe(LOG_BYTES);
    expect([read(database), read(other)]).toEqual(Array(2).fill(['before', 'beside', 'after']));
  });

  it('does not harm a database whose process died after the log had grown', async () => {
    const copy = join(folder, 'copy');
    mkdirSync(copy);
    const database = openFile();
    await logOf(database).grow();
    add(database, 'kept');
    for (const name of ['a.db', 'a.db-wal']) cpSync(join(folder, name), join(copy, name));
    expect(read(openFile(copy))).toEqual(['kept']);
  });

  it('does not grow while another connection writes', async () => {
    const [database, other] = [openFile(), openFile()];
    const before = logBytes();
    database.exec('PRAGMA busy_timeout = 0');
    other.exec('BEGIN IMMEDIATE');
    await logOf(database).grow();
    expect(logBytes()).toBe(before);
  });
});
