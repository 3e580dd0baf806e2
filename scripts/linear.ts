/** Many random histories on two runtimes over one store: `npm run linear -- --store postgres --histories 2000 [--seed N]`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createScriptedModel } from '../src/models/scripted.ts';
import { createRuntime, type Runtime } from '../src/runtime/runtime.ts';
import { createPostgresStore } from '../src/store/postgres/postgres-store.ts';
import { buildAgent } from '../test/build.ts';
import { startCluster } from '../test/postgres/cluster.ts';
import { checkHistories, countingTool, type Effects, LIMITS, slowReplies } from '../test/several-servers/linear.ts';

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
    const shared = cluster && { store: await createPostgresStore({ url: cluster.url }) };
    const model = createScriptedModel(slowReplies);
    runtimes.push(
      await createRuntime({ agents: [buildAgent(LIMITS)], folder, model, sources: [countingTool(effects)], ...shared }),
    );
  }
  await checkHistories(runtimes, { effects, histories, seed });
  console.log(`every one of ${histories} histories has an order`);
} finally {
  await Promise.all(runtimes.map((runtime) => runtime.stop()));
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
}
