import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { COMMAND } from '../command.ts';
import { freePort } from '../free-port.ts';
import { temporaryFolder } from '../runtime.ts';

const HOOK = join(import.meta.dirname, 'loaded-files.mjs');

/** Runs a message and returns the files for PostgreSQL that the program loaded. */
function loadedFor(database: string): string[] {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'agent.yaml'), 'name: one\ninstructions: Help.\n');
  const file = join(folder, 'loaded.txt');
  const user = database ? ['--user', 'a0000000-0000-4000-8000-000000000001'] : [];
  const args = ['--import', HOOK, COMMAND, 'run', 'agent.yaml', 'hello', '--data', join(folder, 'data'), ...user];
  const env = { ...process.env, DATABASE_URL: database, LOADED_FILE: file };
  spawnSync(process.execPath, args, { cwd: folder, env });
  const loaded = readFileSync(file, 'utf8').split('\n');
  expect(loaded.length).toBeGreaterThan(50);
  return loaded.filter((url) => /postgres/.test(url));
}

it('loads nothing of PostgreSQL unless a database is named', async () => {
  expect(loadedFor('')).toEqual([]);
  expect(loadedFor(`postgres://127.0.0.1:${await freePort()}/none`)).not.toEqual([]);
});
