/** Many random histories on two runtimes over one store: `npm run linear -- --store postgres --histories 2000 [--seed N]`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Runtime } from '../src/runtime/runtime.ts';
import { createPostgresStore } from '../src/store/postgres/postgres-store.ts';
import { startCluster } from '../test/postgres/cluster.ts';
import { checkHistories, type Effects, openServer } from '../test/several-servers/linear.ts';

const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'postgres' },
    histories: { type: 'string', default: '2000' },
    seed: { type: 'string' },
  },
});
const histories = Number(values.histories);
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
console.log(`store ${values.store}, ${histories} histories, seed ${seed}`);
const folder = mkdtempSync(join(tmpdir(), 'holodeck-linear-'));
const cluster = values.store === 'postgres' ? await startCluster() : undefined;
const runtimes: Runtime[] = [];
const effects: Effects = new Map();
try {
  for (let count = 0; count < 2; count++) {
    const store = cluster && (await createPostgresStore({ url: cluster.url }));
    runtimes.push(await openServer(effects, { folder, store }));
  }
  await checkHistories(runtimes, { effects, histories, seed });
  console.log(`every one of ${histories} histories has an order`);
} finally {
  await Promise.all(runtimes.map((runtime) => runtime.stop()));
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
}
