import { expect, it } from 'vitest';
import { startCluster } from '../postgres/cluster.ts';
import { torture } from './torture.ts';

const NONE = { lost: [], doubled: [], stuck: [] };
const seed = Number(process.env.TORTURE_SEED) || Math.floor(Math.random() * 2 ** 31);

it('loses and doubles nothing while servers on PostgreSQL and the database are killed, stopped and cut off', async () => {
  const cluster = await startCluster();
  try {
    console.log(`torture on PostgreSQL: TORTURE_SEED=${seed}`);
    const report = await torture({ seed, servers: 3, clients: 6, maxFaults: 12, maxMs: 40_000, cluster });
    console.log(JSON.stringify(report));
    expect(report).toMatchObject(NONE);
    expect(report.turns).toBeGreaterThan(0);
  } finally {
    await cluster.stop();
  }
}, 300_000);

it('loses and doubles nothing while two processes on one folder are killed and stopped', async () => {
  console.log(`torture on SQLite: TORTURE_SEED=${seed}`);
  const report = await torture({ seed, servers: 2, clients: 6, maxFaults: 8, maxMs: 20_000 });
  console.log(JSON.stringify(report));
  expect(report).toMatchObject(NONE);
  expect(report.turns).toBeGreaterThan(0);
}, 240_000);
