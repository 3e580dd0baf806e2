import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isTestFile } from './imports.ts';

/** Expressions that read the time or make an id. */
const SOURCES =
  /\bnew Date\(\)|\bDate\.now\(|\bperformance\.now\(|\bhrtime\b|\brandomUUID\(|\brandomBytes\(|\bgetRandomValues\(|\bnewUlid\(/g;
/**
 * `clock.ts` and `ids.ts` are the sources. The others run beside the program (in a child, a worker, a busy wait), or make
 * secrets, which must never repeat.
 */
const MAY_READ = [
  'clock.ts',
  'ids.ts',
  'schema/new-ulid.ts',
  'files/job/used-time.ts',
  'mcp/oauth/random-secret.ts',
  'store/sqlite/checkpoint-worker.ts',
  'store/sqlite/retry-busy.ts',
];

/** The real clock and the real ids. Only code that assembles parts, or shows and logs, may name them. */
const SYSTEM = /\bsystem(?:Clock|Ids)\b/;
const MAY_NAME = [
  /^(?:clock|ids)\.ts$/,
  /^(?:cli|server|telemetry|identity|mcp)\//,
  /^runtime\/(?:runtime|run-agent)\.ts$/,
  // Names of temporary files and the timing of the disk: no recorded run repeats them.
  /^runtime\/files\/attached-file\.ts$/,
  /^store\/sqlite\/checkpoints\.ts$/,
  // Defaults of options that the assembly sets.
  /^agent\/run-stateless\.ts$/,
  /^files\/file-reader\.ts$/,
  /^models\/(?:create-model|retry|scripted|providers\/chat-model)\.ts$/,
  /^store\/(?:sqlite\/sqlite|postgres\/postgres)-store\.ts$/,
  /^tasks\/(?:sqlite|postgres)-task-store\.ts$/,
  /^tools\/functions\/function-tools\.ts$/,
];

/** Returns every place in a folder that makes its own time or ids in place of taking them as a dependency. */
export function findOwnTimeAndIds(folder: string): string[] {
  const files = globSync('**/*.ts', { cwd: folder }).filter((file) => !isTestFile(file));
  return files.sort().flatMap((file) => findIn(file, readFileSync(join(folder, file), 'utf8')));
}

/** Returns the places of one file, without its comments. */
export function findIn(file: string, text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '').replace(/^export function newUlid\(/m, '');
  const raw = MAY_READ.includes(file) ? [] : [...code.matchAll(SOURCES)].map(([found]) => `${file}: ${found}`);
  const named = SYSTEM.test(code) && !MAY_NAME.some((allowed) => allowed.test(file));
  return named ? [...raw, `${file}: names the system's clock or ids`] : raw;
}
