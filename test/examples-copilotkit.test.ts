import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { COMMAND } from './command.ts';
import { isLong } from './long.ts';
import { temporaryFolder } from './runtime.ts';

const EXAMPLE = join(import.meta.dirname, '../examples/copilotkit');
const MINUTE_MS = 60_000;

/** Its 350 packages are not part of the repository: they are installed for this test and removed after it. */
it.runIf(isLong)('CopilotKit in front of the server holds what its example asserts', { timeout: 6 * MINUTE_MS }, () => {
  const folder = temporaryFolder();
  cpSync(EXAMPLE, folder, { recursive: true, filter: (path) => !path.includes('node_modules') });
  const run = (command: string, args: string[]) =>
    spawnSync(command, args, {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, HOLODECK: COMMAND },
      timeout: 4 * MINUTE_MS,
    });
  const installed = run('npm', ['ci', '--prefer-offline', '--no-progress']);
  expect(installed.status, installed.stderr).toBe(0);
  const { status, stdout, stderr } = run(process.execPath, ['main.js']);
  expect({ status, stderr, stdout }).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining('hold') });
});
