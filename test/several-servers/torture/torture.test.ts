import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { pick } from '../../long.ts';
import { startPair } from '../../postgres/pair.ts';
import { temporaryFolder } from '../../runtime.ts';
import { openSmallDisk } from '../../small-disk.ts';
import { torture } from './torture.ts';

const NONE = { lost: [], doubled: [], stuck: [], missed: [] };
const seed = Number(process.env.TORTURE_SEED) || Math.floor(Math.random() * 2 ** 31);

it('loses and doubles nothing while servers on PostgreSQL and the database are killed, stopped and cut off', async () => {
  const pair = await startPair();
  try {
    console.log(`torture on PostgreSQL: TORTURE_SEED=${seed}`);
    const report = await torture({
      seed,
      servers: 3,
      clients: 6,
      maxFaults: pick(4, 30),
      maxMs: pick(15_000, 90_000),
      pair,
    });
    console.log(JSON.stringify(report));
    expect(report).toMatchObject(NONE);
    expect(Object.keys(report.turns).sort()).toEqual(['agui', 'rest', 'stream']);
  } finally {
    await pair.stop();
  }
}, 300_000);

it.each(pick([2], [1, 2]))(
  'loses and doubles nothing while %i processes on one folder are killed and stopped',
  async (servers) => {
    console.log(`torture on SQLite: TORTURE_SEED=${seed}`);
    const disk = openSmallDisk(join(temporaryFolder(), 'disk'), 200);
    onTestFinished(() => disk?.close());
    const report = await torture({
      seed,
      servers,
      clients: 6,
      maxFaults: pick(5, 60),
      maxMs: pick(4_000, 45_000),
      pauseMs: 300,
      disk,
    });
    console.log(JSON.stringify(report));
    expect(report).toMatchObject(NONE);
    expect(Object.keys(report.turns).sort()).toEqual(['agui', 'rest', 'stream']);
  },
  240_000,
);
