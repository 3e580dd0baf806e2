/**
 * Changes the source in small ways, one at a time, and runs the tests of its room: a change that no test notices is a
 * gap in the tests. It works on a copy of this tree. Not part of CI: a run takes seconds for each change. `agents` in place
 * of a folder changes the shipped agents instead (scripts/mutate-agents.ts).
 *
 *   npm run mutate -- src/agent src/tools --sample 50 --seed 1 --tests src/runtime
 */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** A small change to a source file that a good test notices. */
interface Mutation {
  line: number;
  /** The changed piece, before and after. */
  from: string;
  to: string;
  /** The whole file with the change. */
  text: string;
}

/** Operators are matched with the spaces that the formatter adds, so type arguments do not match. */
const SWAPS: readonly (readonly [RegExp, string])[] = [
  [/ === /g, ' !== '],
  [/ !== /g, ' === '],
  [/ < /g, ' <= '],
  [/ <= /g, ' < '],
  [/ > /g, ' >= '],
  [/ >= /g, ' > '],
  [/ && /g, ' || '],
  [/ \|\| /g, ' && '],
  [/ \?\? /g, ' && '],
  [/ \+ /g, ' - '],
  [/ - /g, ' + '],
  [/ \* /g, ' / '],
  [/(?<![\w.])true\b/g, 'false'],
  [/(?<![\w.])false\b/g, 'true'],
  [/\.some\(/g, '.every('],
  [/\.every\(/g, '.some('],
  [/Math\.min\(/g, 'Math.max('],
  [/Math\.max\(/g, 'Math.min('],
  [/(?<=[( ])!(?=[\w(])/g, ''],
];
const CONDITION = /\bif \(/g;
/** A call on a line of its own; its value is not used. */
const CALL_LINE = /(?<=^ +)(?:await |void )?[\w.?]+\([^\n]*\);(?=$)/gm;
const NUMBER = /(?<![\w.$])\d[\d_]*(?![\w.])/g;

/** All mutations of a file. Comments, strings and patterns stay unchanged. */
function findMutations(source: string): Mutation[] {
  const code = maskText(source);
  const mutations: Mutation[] = [];
  const add = (start: number, length: number, to: string) => {
    const from = source.slice(start, start + length);
    if (from === to) return;
    const line = source.slice(0, start).split('\n').length;
    mutations.push({ line, from, to, text: source.slice(0, start) + to + source.slice(start + length) });
  };
  for (const [pattern, to] of SWAPS) for (const found of code.matchAll(pattern)) add(found.index, found[0].length, to);
  for (const found of code.matchAll(CALL_LINE)) add(found.index, found[0].length, ';');
  for (const found of code.matchAll(NUMBER)) add(found.index, found[0].length, String(readNumber(found[0]) + 1));
  for (const found of code.matchAll(CONDITION)) {
    const start = found.index + found[0].length;
    const length = findClosing(code, start) - start;
    for (const constant of ['true', 'false']) add(start, length, constant);
  }
  return mutations;
}

function readNumber(digits: string): number {
  return Number(digits.replaceAll('_', ''));
}

function findClosing(code: string, start: number): number {
  let depth = 1;
  for (let at = start; at < code.length; at++) {
    if (code[at] === '(') depth++;
    if (code[at] === ')' && --depth === 0) return at;
  }
  return start;
}

/** A pattern can begin only where a value can; elsewhere a slash divides. */
const PARTS =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|(?<=[(,=:[!&|?{};]\s*|return )\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/\w*/g;

/** The same text with spaces in place of comments, strings and patterns. */
function maskText(source: string): string {
  return source.replace(PARTS, (part) => part.replace(/[^\n]/g, ' '));
}

type Outcome = 'noticed' | 'timeout' | 'SURVIVED';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    /** Test files or folders in addition to the room's own. */
    tests: { type: 'string', multiple: true, default: [] },
    /** A single place, such as src/agent/loop.ts:40. */
    only: { type: 'string' },
    'timeout-seconds': { type: 'string', default: '120' },
  },
});
const root = resolve(import.meta.dirname, '..');
const timeoutMs = Number(values['timeout-seconds']) * 1_000;

if (positionals[0] === 'agents') await import('./mutate-agents.ts');
else process.exitCode = await main();

async function main(): Promise<number> {
  if (positionals.length === 0) {
    console.error('Name a folder or a file, such as: npm run mutate -- src/agent --sample 50');
    return 2;
  }
  const copy = copyTree();
  const counts = { noticed: 0, timeout: 0, SURVIVED: 0 };
  try {
    for (const path of positionals) await mutatePath(copy, path, counts);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
  console.log(`${counts.noticed} noticed, ${counts.timeout} ran into the time limit, ${counts.SURVIVED} survived`);
  return counts.SURVIVED > 0 ? 1 : 0;
}

async function mutatePath(copy: string, path: string, counts: Record<Outcome, number>): Promise<void> {
  const tests = [roomOf(path), ...values.tests];
  if ((await runTests(copy, tests)) !== 'SURVIVED') throw new Error(`The tests in ${tests.join(' ')} fail unchanged.`);
  const all = listSources(copy, path).flatMap((file) =>
    findMutations(readFileSync(join(copy, file), 'utf8')).map((mutation) => ({ file, mutation })),
  );
  const chosen = values.only
    ? all.filter(({ file, mutation }) => `${file}:${mutation.line}` === values.only)
    : takeSample(all, Number(values.sample), Number(values.seed));
  console.log(`${path}: ${chosen.length} of ${all.length} mutations, tests in ${tests.join(' ')}`);
  for (const { file, mutation } of chosen) {
    const outcome = await tryMutation(copy, file, mutation, tests);
    counts[outcome]++;
    if (outcome !== 'noticed') console.log(`${outcome} ${file}:${mutation.line} ${show(mutation)}`);
  }
}

async function tryMutation(copy: string, file: string, mutation: Mutation, tests: string[]): Promise<Outcome> {
  const path = join(copy, file);
  const original = readFileSync(path);
  writeFileSync(path, mutation.text);
  try {
    return await runTests(copy, tests);
  } finally {
    writeFileSync(path, original);
  }
}

function runTests(copy: string, tests: readonly string[]): Promise<Outcome> {
  const vitest = join('node_modules', 'vitest', 'vitest.mjs');
  const args = [vitest, 'run', '--bail=1', '--reporter=dot', ...tests];
  const child = spawn(process.execPath, args, { cwd: copy, stdio: 'ignore', detached: true });
  return new Promise((done) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      // Kill the whole group: test workers must not outlive their runner.
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, timeoutMs);
    child.on('exit', (code) => {
      clearTimeout(timer);
      done(isLate ? 'timeout' : code === 0 ? 'SURVIVED' : 'noticed');
    });
  });
}

/** Copies all tracked and new files in their current state. */
function copyTree(): string {
  const copy = mkdtempSync(join(tmpdir(), 'holodeck-mutate-'));
  const listed = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root, encoding: 'utf8' });
  for (const file of listed.stdout.split('\0').filter(Boolean)) {
    mkdirSync(join(copy, dirname(file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

function listSources(copy: string, path: string): string[] {
  if (path.endsWith('.ts')) return [path];
  return readdirSync(join(copy, path), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/test\.ts$|contract|fixture/.test(name))
    .map((name) => join(path, name))
    .toSorted();
}

/** Returns `src/agent` for everything below it. */
function roomOf(path: string): string {
  return path.split('/').slice(0, 2).join('/');
}

/** The same seed gives the same sample (mulberry32 as the random source). */
function takeSample<T>(all: readonly T[], count: number, seed: number): T[] {
  let state = seed;
  const chance = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const keyed = all.map((item) => ({ item, key: chance() })).toSorted((a, b) => a.key - b.key);
  return keyed.slice(0, count).map(({ item }) => item);
}

function show({ from, to }: Mutation): string {
  const short = (text: string) => JSON.stringify(text.trim().slice(0, 100));
  return `${short(from)} → ${short(to)}`;
}
