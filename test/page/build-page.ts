import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { newest } from '../build-command.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Builds the page before the tests if dist/web is missing or older than its sources. */
export default function buildPage(): void {
  const built = newest('dist/web/index.html');
  if (built > newest('web/**', 'package-lock.json')) return;
  // vite builds React's development version under the NODE_ENV of the tests, so the build runs in its own process.
  const { NODE_ENV: _test, ...env } = process.env;
  const { status } = spawnSync(process.execPath, ['scripts/prepare.js'], { cwd: ROOT, env, stdio: 'inherit' });
  if (status !== 0 || newest('dist/web/index.html') <= built) throw new Error('The page could not be built.');
}
