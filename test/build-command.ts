import { globSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildProgram } from '../scripts/build-program.ts';

/** Builds the command before the tests if dist is missing or older than its sources. */
export default async function buildCommand(project: TestProject): Promise<void> {
  await buildIfOld();
  project.onTestsRerun(buildIfOld);
}

async function buildIfOld(): Promise<void> {
  const sources = newest('src/**', 'package-lock.json', 'scripts/build-program.ts');
  if (newest('dist/main.js') > sources) return;
  // The names of parts change with their content.
  for (const part of globSync('dist/*.js{,.map}')) rmSync(part);
  await buildProgram();
}

const ROOT = join(import.meta.dirname, '..');

/** Time of the newest file; 0 without any. */
export function newest(...patterns: readonly string[]): number {
  const times = globSync(patterns, { cwd: ROOT }).map((path) => statSync(join(ROOT, path)));
  return Math.max(0, ...times.filter((entry) => entry.isFile()).map((entry) => entry.mtimeMs));
}
