import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MIGRATIONS } from './migrations.ts';
import { openDatabase } from './open.ts';
import { createSqliteStore } from './sqlite-store.ts';

const FIRST = 'CREATE TABLE things (name TEXT) STRICT';
const SECOND = 'ALTER TABLE things ADD COLUMN size INTEGER';

describe('openDatabase', () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'holodeck-open-'));
    path = join(folder, 'data', 'things.db');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function openAndClose(migrations: string[], sql = ''): void {
    const database = openDatabase({ path, migrations });
    database.exec(sql);
    database.close();
  }

  it('makes the file in a folder for its owner only, durable and with foreign keys', () => {
    const database = openDatabase({ path, migrations: [FIRST] });
    const pragmas = ['journal_mode', 'synchronous', 'foreign_keys', 'journal_size_limit'].map((name) =>
      database.prepare(`PRAGMA ${name}`).get(),
    );
    expect(pragmas.map((row) => ({ ...row }))).toEqual([
      { journal_mode: 'wal' },
      { synchronous: 2 },
      { foreign_keys: 1 },
      { journal_size_limit: 67_108_864 },
    ]);
    expect(statSync(join(folder, 'data')).mode & 0o777).toBe(0o700);
    database.close();
  });

  it('migrates an older file and keeps its data', () => {
    openAndClose([FIRST], "INSERT INTO things VALUES ('milk')");
    const database = openDatabase({ path, migrations: [FIRST, SECOND] });
    expect({ ...database.prepare('SELECT * FROM things').get() }).toEqual({ name: 'milk', size: null });
    database.close();
  });

  it('leaves the file at its old version when a migration fails', () => {
    openAndClose([FIRST]);
    expect(() => openAndClose([FIRST, `${SECOND}; nonsense`])).toThrow();
    openAndClose([FIRST, SECOND], "INSERT INTO things VALUES ('milk', 1)");
  });

  it.each([false, true])('refuses a newer file without changing a byte (readOnly: %s)', (readOnly) => {
    openAndClose([FIRST, SECOND], "INSERT INTO things VALUES ('milk', 1)");
    const before = readFileSync(path);
    const open = () => openDatabase({ path, migrations: [FIRST], readOnly });
    expect(open).toThrow(expect.objectContaining({ code: 'store_too_new' }));
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('refuses a file that is no database with store_unavailable', () => {
    openAndClose([FIRST]);
    writeFileSync(path, 'x'.repeat(10_000));
    expect(() => openAndClose([FIRST])).toThrow(expect.objectContaining({ code: 'store_unavailable' }));
  });

  it('refuses writes on a read-only connection', () => {
    openAndClose([FIRST]);
    const database = openDatabase({ path, migrations: [FIRST], readOnly: true });
    expect(() => database.exec("INSERT INTO things VALUES ('milk')")).toThrow('readonly');
    database.close();
  });

  it('is how a store refuses a newer data folder, even one with changes still in the log', () => {
    const file = join(folder, 'holodeck.db');
    const newer = openDatabase({ path: file, migrations: [...MIGRATIONS, FIRST] });
    const read = () => [file, `${file}-wal`].map((name) => readFileSync(name).toString('base64'));
    const before = read();
    expect(() => createSqliteStore({ folder })).toThrow(expect.objectContaining({ code: 'store_too_new' }));
    expect(read()).toEqual(before);
    newer.close();
  });

  it('counts the texts of conversations that an older version counted otherwise', () => {
    const older = openDatabase({ path, migrations: MIGRATIONS.slice(0, 2) });
    older.exec(`INSERT INTO conversations VALUES (1, 'c', 'u', 'a', NULL, '', '', '', 4, '{}', 1)`);
    const bodies = [
      ['user', 'hi'],
      ['assistant', ' \\n'],
      ['tool', '{}'],
      ['assistant', 'Done'],
    ];
    for (const [index, [role, content]] of bodies.entries()) {
      older.exec(`INSERT INTO messages VALUES (1, ${index}, 'm', 1, '${role}', '{"content":"${content}"}')`);
    }
    older.close();
    const database = openDatabase({ path, migrations: MIGRATIONS });
    expect({ ...database.prepare('SELECT message_count FROM conversations').get() }).toEqual({ message_count: 2 });
    database.close();
  });

  it('makes no file for a database in memory', () => {
    openDatabase({ path: ':memory:', migrations: ['CREATE TABLE a (b)'] }).close();
    expect(existsSync(':memory:')).toBe(false);
  });
});
