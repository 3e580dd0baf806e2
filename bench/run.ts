/**
 * Runs a measurement by its name: `npm run bench -- files`. Without a name it builds the package and compares the served
 * agent with a hand-written loop (bench/main.ts has the flags).
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Scripts that run one after the other, relative to this folder. */
const MEASUREMENTS: Record<string, readonly string[]> = {
  compare: ['../scripts/build.ts', 'main.ts'],
  cases: ['cases.ts'],
  files: ['files.ts'],
  knowledge: ['knowledge.ts'],
  page: ['../scripts/prepare.js', 'page.ts'],
  space: ['space.ts'],
  stores: ['stores.ts'],
  terminal: ['terminal.ts'],
};

const [first, ...rest] = process.argv.slice(2);
const isNamed = first !== undefined && !first.startsWith('--');
const scripts = MEASUREMENTS[isNamed ? first : 'compare'];
if (scripts) process.exitCode = runAll(scripts, isNamed ? rest : process.argv.slice(2));
else {
  console.error(`There is no measurement ${first}. There are: ${Object.keys(MEASUREMENTS).join(', ')}`);
  process.exitCode = 1;
}

/** Returns the exit code of the first script that fails. The last script gets the flags. */
function runAll(names: readonly string[], flags: readonly string[]): number {
  for (const name of names) {
    const given = name === names.at(-1) ? flags : [];
    const { status } = spawnSync(process.execPath, [join(import.meta.dirname, name), ...given], { stdio: 'inherit' });
    if (status !== 0) return status ?? 1;
  }
  return 0;
}
