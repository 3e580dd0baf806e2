import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLogFile, LOG_BYTES } from './log-file.ts';
import { openDatabase } from './open.ts';

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
