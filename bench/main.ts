/**
 * Compares the served agent (journal on) with a hand-written loop, in one run, as ratios. With `--peers` other runtimes
 * take part in the same run on the same Node, and the best of them judges each row. With `--against <commit>` the build of
 * that commit takes part: a row that costs over 5 % more than there, twice, is a fault. Exits with 1 if a row is behind or
 * a limit is missed. `--write` puts the tables and the picture into docs/performance.md. Run:
 * npm run bench -- [--peers] [--against <commit>] [--quick] [--write]
 *   [--only cold,memory,lists,team,flood,latency,paced,history,throughput,tools,gone,load]
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Bench, Row } from './compare.ts';
import { contestants, installPeers, launch, stop, untilOpen } from './contestant.ts';
import { findMissed, findWorse, judge, ofKind } from './judge.ts';
import { type Measured, measure, PHASES } from './phases.ts';
import { writeReport } from './report.ts';

const ROOT = join(import.meta.dirname, '..');
const LOCK = 'package-lock.json';

interface Build {
  folder: string;
  remove(): void;
}

/** Builds a commit in a worktree of its own, with this checkout's packages if their lock files are equal. */
function buildAt(commit: string): Build {
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

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    only: { type: 'string' },
    peers: { type: 'boolean' },
    against: { type: 'string' },
    write: { type: 'boolean' },
  },
});
const bench: Bench = { mockPort: 19_900, isQuick: options.quick ?? false };
const dataFolder = mkdtempSync(join(tmpdir(), 'holodeck-bench-'));
const peers = options.peers ? installPeers() : [];
const build = options.against ? buildAt(options.against) : undefined;
const all = contestants(19_201, { peers, before: build?.folder, dataFolder });
const names = all.map(({ name }) => name);

async function main(): Promise<void> {
  const mock = launch('mock-model.ts', { port: bench.mockPort, mockPort: bench.mockPort });
  try {
    await untilOpen(bench.mockPort);
    const found = await measure(options.only?.split(',') ?? PHASES, all, bench);
    const rows = [...found.values()].flatMap((one) => one.rows);
    const findings = [...found.values()].flatMap((one) => one.findings);
    print(rows, findings);
    if (options.write) writeReport({ all, rows, findings });
    const isBehind = rows.some((row) =>
      ofKind(all, 'ours').some((name) => judge(row, name, ofKind(all, 'peer')) === 'behind'),
    );
    const missed = findMissed(rows, all);
    const worse = await confirmWorse(found);
    show('missed, with stores on', missed);
    show(`costs more than ${options.against}, twice`, worse);
    const isMet = !isBehind && findings.every((one) => one.isMet) && missed.length + worse.length === 0;
    process.exitCode = isMet ? 0 : 1;
  } finally {
    await stop(mock);
  }
}

/** Measures the phases of worse rows once more, and returns the rows that are worse again. */
async function confirmWorse(found: Map<string, Measured>): Promise<string[]> {
  const worse = new Map([...found].map(([phase, { rows }]) => [phase, findWorse(rows, all)]));
  const phases = [...worse].filter(([, rows]) => rows.size > 0).map(([phase]) => phase);
  if (phases.length === 0) return [];
  const again = await measure(phases, all, bench);
  return phases.flatMap((phase) =>
    [...findWorse(again.get(phase)?.rows ?? [], all)].flatMap(([row, change]) => {
      const first = worse.get(phase)?.get(row);
      return first ? [`${row}: ${first}, again ${change}`] : [];
    }),
  );
}

function print(rows: readonly Row[], findings: Measured['findings']): void {
  const lines = rows.map((row) => {
    const { what, unit, values } = row;
    const floor = values.get('floor') ?? Number.NaN;
    const cells = all.map(({ name, kind }) => {
      const value = values.get(name);
      if (value === undefined) return '–';
      if (kind === 'floor') return `${short(value)} ${unit}`;
      const verdict = kind === 'ours' && judge(row, name, ofKind(all, 'peer'));
      return `${short(value)} ${unit} (× ${short(value / floor)})${verdict ? `, ${verdict}` : ''}`;
    });
    return `| ${what} | ${cells.join(' | ')} |`;
  });
  const head = [`| | ${names.join(' | ')} |`, `|---|${names.map(() => '--:').join('|')}|`];
  const notes = findings.map(({ text, isMet }) => (isMet ? text : `${text} MISSED`));
  process.stdout.write(`${[...head, ...lines, '', ...notes].join('\n')}\n`);
}

function show(title: string, lines: readonly string[]): void {
  if (lines.length > 0) process.stdout.write(`\n${title}:\n${lines.join('\n')}\n`);
}

function short(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(value >= 10 ? 2 : 3);
}

try {
  await main();
} finally {
  build?.remove();
  rmSync(dataFolder, { recursive: true, force: true });
}
process.exit();
