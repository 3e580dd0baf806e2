import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { growLog, LOG_BYTES } from './grow-log.ts';
import { openDatabase } from './open.ts';

function openFile(folder: string): DatabaseSync {
  return openDatabase({ path: join(folder, 'a.db'), migrations: ['CREATE TABLE t (value TEXT) STRICT'] });
}

const add = (database: DatabaseSync, value: string) => void database.prepare('INSERT INTO t VALUES (?)').run(value);
const read = (database: DatabaseSync) =>
  database
    .prepare('SELECT value FROM t')
    .all()
    .map(({ value }) => value);

describe('growLog', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'holodeck-log-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('leaves what was written and what is written after it, for other connections too', () => {
    const database = openFile(folder);
    const other = openFile(folder);
    add(database, 'before');
    growLog(database, join(folder, 'a.db'));
    add(other, 'beside');
    add(database, 'after');
    expect(statSync(join(folder, 'a.db-wal')).size).toBe(LOG_BYTES);
    expect([read(database), read(other)]).toEqual(Array(2).fill(['before', 'beside', 'after']));
  });

  it('is nothing to a database whose process died', () => {
    const copy = join(folder, 'copy');
    mkdirSync(copy);
    const database = openFile(folder);
    growLog(database, join(folder, 'a.db'));
    add(database, 'kept');
    for (const name of ['a.db', 'a.db-wal']) cpSync(join(folder, name), join(copy, name));
    expect(read(openFile(copy))).toEqual(['kept']);
  });

  it('does nothing while another connection writes, or without a file', () => {
    const [database, other] = [openFile(folder), openFile(folder)];
    const { size } = statSync(join(folder, 'a.db-wal'));
    database.exec('PRAGMA busy_timeout = 0');
    other.exec('BEGIN IMMEDIATE');
    growLog(database, join(folder, 'a.db'));
    expect(statSync(join(folder, 'a.db-wal')).size).toBe(size);
    const inMemory = new DatabaseSync(':memory:');
    growLog(inMemory, ':memory:');
    expect(inMemory.isTransaction).toBe(false);
  });
});
