import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { COMMAND } from '../../../test/command.ts';
import { freePort } from '../../../test/free-port.ts';
import { databaseOfFile } from '../../../test/postgres/database.ts';
import { createPostgresStore } from './postgres-store.ts';

const database = databaseOfFile();
const PASSWORD = 'canary-password';
const USER = 'a0000000-0000-4000-8000-000000000001';

/** Runs a command on a database and returns its exit code and output. */
function run(url: string) {
  const folder = mkdtempSync(join(tmpdir(), 'holodeck-bad-'));
  writeFileSync(join(folder, 'agent.yaml'), 'name: one\ninstructions: Help.\n');
  const args = [COMMAND, 'run', 'agent.yaml', 'hello', '--user', USER, '--data', join(folder, 'data')];
  const env = { ...process.env, DATABASE_URL: url };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, env, encoding: 'utf8' });
  return { status, stdout, stderr };
}

function withPassword(change: (url: URL) => void): string {
  const url = new URL(database.url);
  url.password = PASSWORD;
  change(url);
  return url.href;
}

const tables = () => database.run("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename");

describe('a database that cannot be used', () => {
  afterEach(() => database.run('DROP TABLE IF EXISTS conversations CASCADE'));

  it('that no server has ends the command with 2 and one sentence', async () => {
    const port = String(await freePort());
    const { status, stdout, stderr } = run(
      withPassword((url) => {
        url.port = port;
      }),
    );
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(`127.0.0.1:${port}`);
    expect(stderr).toContain('no server accepts connections there');
    expect(stderr).not.toContain(PASSWORD);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('that the server does not have is named', () => {
    const { status, stderr } = run(
      withPassword((url) => {
        url.pathname = '/missing';
      }),
    );
    expect(status).toBe(2);
    expect(stderr).toContain('it has no database of this name');
    expect(stderr).not.toContain(PASSWORD);
  });

  it('that holds tables of another program is left as it is', async () => {
    await database.run('CREATE TABLE conversations (mine text)');
    const { status, stderr } = run(database.url);
    expect(status).toBe(2);
    expect(stderr).toContain('holds tables of another program');
    expect(await tables()).toEqual([{ tablename: 'conversations' }]);
  });

  it('that a newer program wrote is left as it is', async () => {
    const store = await createPostgresStore({ url: database.url });
    await store.close();
    await database.run("UPDATE meta SET value = '999' WHERE key = 'version'");
    const before = await tables();
    const { status, stderr } = run(database.url);
    expect(status).toBe(2);
    expect(stderr).toContain('was written by a newer HoloDeck');
    expect(await tables()).toEqual(before);
    expect(await database.run('SELECT count(*)::integer AS runners FROM runners')).toEqual([{ runners: 0 }]);
  });

  it('needs a user: the command says so', () => {
    const folder = mkdtempSync(join(tmpdir(), 'holodeck-bad-'));
    writeFileSync(join(folder, 'agent.yaml'), 'name: one\ninstructions: Help.\n');
    const env = { ...process.env, DATABASE_URL: database.url };
    const args = [COMMAND, 'run', 'agent.yaml', 'hello', '--data', folder];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, env, encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr).toContain('--user <id>');
  });
});
