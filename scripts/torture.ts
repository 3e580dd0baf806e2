/**
 * The long form of the torture test: `npm run torture -- --store postgres --servers 3 --faults 500 [--seed N] [--minutes N]`.
 * It writes docs/torture.md.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startCluster } from '../test/postgres/cluster.ts';
import { type TortureReport, torture } from '../test/several-servers/torture.ts';

const PATH = 'docs/torture.md';

const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'postgres' },
    servers: { type: 'string', default: '3' },
    faults: { type: 'string', default: '500' },
    clients: { type: 'string', default: '12' },
    minutes: { type: 'string', default: '600' },
    seed: { type: 'string' },
  },
});
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const isShared = values.store === 'postgres';
console.log(`store ${values.store}, seed ${seed}`);
// Here the database's own promise is part of the test, so its writes reach the disk.
const cluster = isShared ? await startCluster({ fsync: true }) : undefined;
const startedAt = performance.now();
try {
  const report = await torture({
    seed,
    servers: Number(values.servers),
    maxFaults: Number(values.faults),
    maxMs: Number(values.minutes) * 60_000,
    clients: Number(values.clients),
    cluster,
    log: console.log,
  });
  const minutes = (performance.now() - startedAt) / 60_000;
  console.log(JSON.stringify(report, null, 2));
  writeReport(report, minutes);
  process.exitCode = report.lost.length + report.doubled.length + report.stuck.length > 0 ? 1 : 0;
} finally {
  await cluster?.stop();
}

function writeReport(report: TortureReport, minutes: number): void {
  const title = isShared ? 'PostgreSQL' : 'SQLite';
  const faults = Object.entries(report.faults).map(([name, count]) => `${count} × ${name}`);
  const total = Object.values(report.faults).reduce((sum, count) => sum + count, 0);
  const line = `| ${title} | ${values.servers} | ${report.seed} | ${total}: ${faults.join(', ')} | ${report.turns} | ${report.lost.length} | ${report.doubled.length} | ${report.stuck.length} | ${(report.readyMs / 1000).toFixed(1)} s | ${minutes.toFixed(0)} min |`;
  const old = readFileSync(PATH, 'utf8').split('\n');
  const kept = old.filter((text) => !text.startsWith(`| ${title} |`));
  const head = kept.findIndex((text) => text.startsWith('|---'));
  kept.splice(head + 1, 0, line);
  writeFileSync(PATH, kept.join('\n'));
}
