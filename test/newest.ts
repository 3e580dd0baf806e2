import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** Time of the newest file; 0 without any. */
export function newest(...patterns: readonly string[]): number {
  const times = globSync(patterns, { cwd: ROOT }).map((path) => statSync(join(ROOT, path)));
  return Math.max(0, ...times.filter((entry) => entry.isFile()).map((entry) => entry.mtimeMs));
}
