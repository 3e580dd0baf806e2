/** Many clients that ask one server at once, in a separate process: node bench/crowd.ts <port> <how many> <for ms>. */
import { ask, isRefusal, quantile } from './client.ts';
import { type Contestant, contestants } from './contestant.ts';

/** The pause of a refused client before it asks again. */
const AGAIN_MS = 100;

/** The outcome of a crowd's requests. */
export interface CrowdResult {
  answeredPerSecond: number;
  refused: number;
  /** As measured by the crowd, including the load of its own process. */
  refusedMs: { p50: number; p99: number };
}

const [port = 0, count = 0, ms = 0] = process.argv.slice(2).map(Number);
const server = toRest(port);
const refusedMs: number[] = [];
let answered = 0;
const startedAt = performance.now();

function toRest(at: number): Contestant {
  const rest = contestants(0).find((one) => one.name === 'holodeck rest');
  if (!rest) throw new Error('nobody is asked by REST');
  return { ...rest, port: at };
}

async function askOnce(): Promise<void> {
  const sentAt = performance.now();
  try {
    await ask(server, { tokens: 20, gapMs: 10 });
    answered++;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    refusedMs.push(performance.now() - sentAt);
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

async function member(): Promise<void> {
  while (performance.now() - startedAt < ms) await askOnce();
}

await Promise.all(Array.from({ length: count }, member));
const result: CrowdResult = {
  answeredPerSecond: (answered / (performance.now() - startedAt)) * 1_000,
  refused: refusedMs.length,
  refusedMs: { p50: quantile(refusedMs, 0.5), p99: quantile(refusedMs, 0.99) },
};
process.stdout.write(JSON.stringify(result));
process.exit(0);
