import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Checkpoints, createCheckpoints } from './checkpoints.ts';
import { openDatabase } from './open.ts';

describe('checkpoints', () => {
  let folder: string;
  let database: DatabaseSync;
  let checkpoints: Checkpoints;

  const open = () => openDatabase({ path: join(folder, 'a.db'), migrations: ['CREATE TABLE t (value TEXT) STRICT'] });
  const frames = () => Number(database.prepare('PRAGMA wal_checkpoint(NOOP)').get()?.log);
  const addPages = (count: number) =>
    database.prepare('INSERT INTO t VALUES (?)').run('x'.repeat(4_096 * count)).changes;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'holodeck-checkpoints-'));
    database = open();
    database.exec('PRAGMA wal_autocheckpoint = 0');
    checkpoints = createCheckpoints(database, join(folder, 'a.db'));
  });
  afterEach(async () => {
    await checkpoints.close();
    database.close();
    rmSync(folder, { recursive: true });
  });

  it('leave a short log alone, and fold a long one back beside what goes on', async () => {
    addPages(500);
    await checkpoints.keepShort();
    expect(frames()).toBeGreaterThan(500);
    addPages(600);
    await checkpoints.keepShort();
    expect(frames(), 'not waited for').toBeGreaterThan(1_100);
    await expect.poll(frames).toBeLessThan(10);
  });

  it('keep the log short under commits that never pause', async () => {
    let longest = 0;
    for (let written = 0; written < 20_000; written += 200) {
      addPages(200);
      await checkpoints.keepShort();
      longest = Math.max(longest, frames());
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(longest).toBeLessThan(12_000);
  });

  it('hold nothing up while somebody reads an older state, and go on when it is left', async () => {
    const reader = open();
    addPages(10);
    reader.exec('BEGIN');
    expect(reader.prepare('SELECT count(*) AS rows FROM t').get()?.rows).toBe(1);
    for (let written = 0; written < 4_000; written += 200) {
      addPages(200);
      await checkpoints.keepShort();
    }
    expect(frames()).toBeGreaterThan(4_000);
    reader.exec('COMMIT');
    await expect
      .poll(
        async () => {
          addPages(1);
          await checkpoints.keepShort();
          return frames();
        },
        { timeout: 10_000 },
      )
      .toBeLessThan(1_000);
  });

  it('are tried again when their thread could not work', async () => {
    await checkpoints.close();
    const lost = createCheckpoints(database, join(folder, 'nowhere', 'b.db', '\0'));
    addPages(1_100);
    await lost.keepShort();
    await lost.close();
    checkpoints = createCheckpoints(database, join(folder, 'a.db'));
    await checkpoints.keepShort();
    await expect.poll(frames).toBeLessThan(10);
  });
});
