import { globSync, rmSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { buildProgram } from '../scripts/build-program.ts';
import { newest } from './newest.ts';

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
