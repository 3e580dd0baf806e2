import { readFileSync, writeFileSync } from 'node:fs';
import type { TortureReport } from './torture.ts';

const PATH = 'docs/torture.md';

interface Run {
  store: 'PostgreSQL' | 'SQLite';
  servers: string;
  minutes: number;
}

/** Replaces the row of this store and number of servers in docs/torture.md. */
export function writeReport(report: TortureReport, run: Run): void {
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
