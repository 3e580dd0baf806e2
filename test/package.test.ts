import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from './runtime.ts';

const ROOT = join(import.meta.dirname, '..');

describe('the published package', () => {
  it('runs without the sources and without node_modules', { timeout: 120_000 }, () => {
    execFileSync('npm', ['run', 'build', '--silent'], { cwd: ROOT, stdio: 'pipe' });
    const folder = temporaryFolder();
    const { files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    for (const name of [...files, 'package.json']) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
    const command = [join(folder, 'bin', 'holodeck.js'), 'run', join(folder, 'agents', 'todo', 'agent.yaml')];
    const picture = join(ROOT, 'test', 'fixtures', 'files', 'note.jpg');
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      [...command, 'remind me to buy milk', '--file', picture, '--data', join(folder, 'data')],
      { encoding: 'utf8', cwd: folder },
    );
    const verdict = 'note.jpg: read, 1400 × 500 pixels, 82 characters\n';
    expect({ stderr, status }).toEqual({ stderr: verdict, status: 0 });
    expect(stdout).toContain("I've added 'buy milk' to your tasks");
  });
});
