import { setTimeout as delay } from 'node:timers/promises';
import {
  compressed,
  countSockets,
  countUnended,
  endless,
  flood,
  MB,
  manyCalls,
  memoryMb,
  type Reply,
  startClient,
  startFlooded,
  untilQuiet,
  watch,
} from '../test/flood.ts';

/**
 * Runs `holodeck serve` against a model that sends far too much, with clients that read and clients that never do.
 * Fails if the server's memory grows too far, a turn is not answered, or SIGTERM does not end the process in time.
 * `--short` runs only the first two scenarios. Run: `node scripts/check-replies.ts [--short] [--only=name]`.
 * test/reply-floods.test.ts is the short form in the tests.
 */
const MAX_GROWTH_MB = 250;
const ANSWER_MS = 60_000;
const EXIT_MS = 30_000;

interface Scenario {
  name: string;
  clients: number;
  reads: boolean;
  reply: Reply;
  /** True if SIGTERM is sent while the turns run. */
  stopsEarly?: boolean;
}

const SCENARIOS: readonly Scenario[] = [
  { name: '20 answers of 20 MB, clients never read', clients: 20, reads: false, reply: flood(20 * MB) },
  { name: '20 answers of 20 MB, clients read', clients: 20, reads: true, reply: flood(20 * MB) },
  { name: 'a reply with 10,000 calls', clients: 1, reads: true, reply: manyCalls },
  { name: 'a reply of 100 MB', clients: 1, reads: true, reply: flood(100 * MB) },
  { name: 'a compressed reply of 300 MB', clients: 1, reads: true, reply: compressed },
  { name: 'a reply that never ends', clients: 1, reads: true, reply: endless },
  {
    name: 'stopped: 20 answers of 20 MB, clients never read',
    clients: 20,
    reads: false,
    reply: flood(20 * MB),
    stopsEarly: true,
  },
  { name: 'stopped: a reply that never ends', clients: 1, reads: true, reply: endless, stopsEarly: true },
];

async function runScenario({ name, clients: count, reads, reply, stopsEarly }: Scenario): Promise<void> {
  const flooded = await startFlooded({ reply });
  try {
    const before = memoryMb(flooded);
    const sockets = countSockets(flooded);
    const stopWatch = watch(flooded);
    const started = performance.now();
    const clients = Array.from({ length: count }, () => startClient(flooded, reads));
    if (stopsEarly) await delay(1_000);
    else if (reads) check(await Promise.all(clients.map(({ done }) => done)));
    else await untilQuiet(flooded, { count, sockets, deadline: started + ANSWER_MS });
    const answeredMs = performance.now() - started;
    const { peak, p95 } = await stopWatch();
    const stopped = performance.now();
    await flooded.stop();
    const exitMs = performance.now() - stopped;
    for (const { socket } of clients) socket.destroy();
    const growth = peak - before;
    const row = { growth_mb: growth, answered_ms: answeredMs, health_p95_ms: p95, exit_ms: exitMs };
    const rounded = Object.fromEntries(Object.entries(row).map(([key, value]) => [key, Math.round(value)]));
    process.stdout.write(`${name}: ${JSON.stringify(rounded)}\n`);
    if (growth > MAX_GROWTH_MB) throw new Error(`${name}: memory grew by ${Math.round(growth)} MB`);
    if (answeredMs > ANSWER_MS) throw new Error(`${name}: answered after ${Math.round(answeredMs)} ms`);
    if (exitMs > EXIT_MS) throw new Error(`${name}: ended ${Math.round(exitMs)} ms after SIGTERM`);
  } finally {
    flooded.close();
  }
}

function check(streams: readonly string[]): void {
  const unended = countUnended(streams);
  if (unended > 0) throw new Error(`${unended} streams have no end`);
}

const isShort = process.argv.includes('--short');
const wanted = process.argv.find((arg) => arg.startsWith('--only='))?.slice('--only='.length);
const chosen = SCENARIOS.slice(0, isShort ? 2 : undefined).filter(({ name }) => !wanted || name.includes(wanted));
for (const scenario of chosen) await runScenario(scenario);
