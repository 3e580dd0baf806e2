import { spawn } from 'node:child_process';
import { chmodSync, chownSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { localAccount } from '../src/identity/local-account.ts';
import { systemIds } from '../src/ids.ts';
import { createSqliteStore } from '../src/store/sqlite/sqlite-store.ts';
import { COMMAND } from './command.ts';
import { temporaryFolder } from './runtime.ts';

/** Root may write everywhere, so a test of root runs the commands as nobody. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** A data folder with these rights, and its files with those. */
async function makeFolder({ folder: mode, files, used }: { folder: number; files: number; used: boolean }) {
  const folder = temporaryFolder();
  if (used) {
    localAccount(folder);
    await createSqliteStore({ folder, ids: systemIds }).close();
  }
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (NOBODY.uid) chownSync(path, NOBODY.uid, NOBODY.gid);
    chmodSync(path, entry.isDirectory() ? mode : files);
  }
  if (NOBODY.uid) chownSync(folder, NOBODY.uid, NOBODY.gid);
  chmodSync(folder, mode);
  return folder;
}

async function run(args: readonly string[], folder: string): Promise<{ status: number | null; text: string }> {
  const env = { ...process.env, HOLODECK_DATA: folder, XDG_CONFIG_HOME: folder, HOME: folder };
  const child = spawn(process.execPath, [COMMAND, ...args], { ...NOBODY, env, cwd: '/' });
  child.stdin.end('add milk\n');
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (text += piece));
  const status = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { status, text: text.trim() };
}

describe.skipIf(process.platform === 'win32')('a data folder', () => {
  it.each([
    ['that is new and read-only', { folder: 0o500, files: 0o400, used: false }, ['chat', 'serve']],
    ['that was used and is read-only', { folder: 0o500, files: 0o400, used: true }, ['chat']],
    ['with files that are read-only', { folder: 0o700, files: 0o400, used: true }, ['chat', 'doctor']],
  ])('%s ends with one sentence that names the remedy', async (_, rights, commands) => {
    const folder = await makeFolder(rights);
    const ended = await Promise.all(commands.map((command) => run([command], folder)));
    const sentence = `^${folder}(/\\S+)? cannot be written: check its owner and permissions, or choose another folder with --data\\.$`;
    const line = `problem +data +${folder}\\S* cannot be written\n +→ chmod -R u\\+rwX ${folder}`;
    for (const [index, command] of commands.entries())
      expect(ended[index]).toEqual(
        command === 'doctor'
          ? { status: 1, text: expect.stringMatching(line) }
          : { status: 2, text: expect.stringMatching(sentence) },
      );
  });
});
