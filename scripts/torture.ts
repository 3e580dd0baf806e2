/**
 * The long form of the torture test: `npm run torture -- --store postgres --servers 3 --faults 500 [--seed N] [--minutes N]`.
 * It runs the built program with a team behind haproxy and writes docs/torture.md.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPair } from '../test/postgres/pair.ts';
import { hasHaproxy } from '../test/several-servers/torture/balancer.ts';
import { type TortureReport, torture } from '../test/several-servers/torture/torture.ts';
import { openSmallDisk } from '../test/small-disk.ts';

const PATH = 'docs/torture.md';

interface Run {
  store: 'PostgreSQL, team' | 'SQLite, team';
  servers: string;
  minutes: number;
}

/** Replaces the row of this store and number of servers in docs/torture.md. */
function writeReport(report: TortureReport, run: Run): void {
  const key = `| ${run.store} | ${run.servers} |`;
  const kept = readFileSync(PATH, 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith(key));
  const head = kept.findIndex((line) => line.startsWith('|---'));
  kept.splice(head + 1, 0, `${key} ${cellsOf(report, run).join(' | ')} |`);
  writeFileSync(PATH, kept.join('\n'));
}

function cellsOf(report: TortureReport, { minutes }: Run): string[] {
  const { seed, faults, turns, lost, doubled, stuck, missed, readyMs, takeOverMs } = report;
  const total = sum(Object.values(faults));
  const kinds = Object.entries(faults).sort(([, a], [, b]) => b - a);
  return [
    String(seed),
    `${total}: ${kinds.map(([name, count]) => `${count} × ${name}`).join(', ')}`,
    String(sum(Object.values(turns))),
    String(lost.length),
    String(doubled.length),
    String(stuck.length + missed.length),
    spread(readyMs),
    takeOverMs.length > 0 ? `${spread(takeOverMs)} of ${takeOverMs.length}` : '–',
    report.balancer,
    `${minutes.toFixed(0)} min`,
  ];
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Median and longest. */
function spread(times: readonly number[]): string {
  const sorted = [...times].sort((a, b) => a - b);
  const seconds = (ms: number | undefined) => ((ms ?? 0) / 1000).toFixed(1);
  return `${seconds(sorted[Math.floor(sorted.length / 2)])} / ${seconds(sorted.at(-1))} s`;
}

const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'postgres' },
    servers: { type: 'string', default: '3' },
    faults: { type: 'string', default: '500' },
    clients: { type: 'string', default: '12' },
    minutes: { type: 'string', default: '600' },
    pause: { type: 'string', default: '1500' },
    seed: { type: 'string' },
  },
});
/** A server is ready again, and another one has its turns, within these times. */
const READY_MS = 5_000;
const TAKE_OVER_MS = 10_000;
/** A run of 2,000 faults stores more than 1 GB. */
const DISK_MB = 2_500;

const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const isShared = values.store === 'postgres';
console.log(`store ${values.store}, seed ${seed}`);
installHaproxy();
const usesHaproxy = hasHaproxy();
if (!usesHaproxy) console.log('haproxy is absent: the small round-robin proxy takes its place');
const folder = mkdtempSync(join(tmpdir(), 'holodeck-torture-'));
// Here the database's own promise is part of the test, so it waits for its disk.
const pair = isShared ? await startPair({ fsync: true }) : undefined;
const disk = isShared ? undefined : openSmallDisk(join(folder, 'disk'), DISK_MB);
const startedAt = performance.now();
try {
  const report = await torture({
    seed,
    servers: Number(values.servers),
    maxFaults: Number(values.faults),
    maxMs: Number(values.minutes) * 60_000,
    clients: Number(values.clients),
    pauseMs: Number(values.pause),
    command: join(import.meta.dirname, '..', 'dist', 'main.js'),
    pair,
    disk,
    usesHaproxy,
    log: console.log,
  });
  console.log(JSON.stringify(report, null, 2));
  const minutes = (performance.now() - startedAt) / 60_000;
  writeReport(report, { store: isShared ? 'PostgreSQL, team' : 'SQLite, team', servers: values.servers, minutes });
  const faults = [report.lost, report.doubled, report.stuck, report.missed];
  const isSlow = Math.max(0, ...report.readyMs) >= READY_MS || Math.max(0, ...report.takeOverMs) > TAKE_OVER_MS;
  process.exitCode = isSlow || faults.some((list) => list.length > 0) ? 1 : 0;
} finally {
  await pair?.stop();
  disk?.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Debian's package, where this process may install it. */
function installHaproxy(): void {
  if (hasHaproxy() || process.getuid?.() !== 0) return;
  console.log('installing haproxy');
  spawnSync('apt-get', ['install', '-y', '--no-install-recommends', 'haproxy'], { stdio: 'ignore' });
}
