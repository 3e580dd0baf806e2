import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const LOCK = 'package-lock.json';

export interface Build {
  folder: string;
  remove(): void;
}

/** Builds a commit in a worktree of its own, with this checkout's packages if their lock files are equal. */
export function buildAt(commit: string): Build {
  const folder = join(realpathSync(mkdtempSync(join(tmpdir(), 'holodeck-against-'))), 'checkout');
  const run = (command: string, args: readonly string[], cwd = folder) =>
    execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  const remove = () => {
    rmSync(join(folder, '..'), { recursive: true, force: true });
    run('git', ['worktree', 'prune'], ROOT);
  };
  try {
    run('git', ['worktree', 'add', '--quiet', '--detach', folder, commit], ROOT);
    const isSame = readFileSync(join(folder, LOCK), 'utf8') === readFileSync(join(ROOT, LOCK), 'utf8');
    if (isSame) symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    else run('npm', ['ci']);
    run('npm', ['run', 'build', '--silent']);
    return { folder, remove };
  } catch (error) {
    remove();
    throw error;
  }
}
