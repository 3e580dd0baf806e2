/**
 * Prints the time of 100 cases of the todo agent with the built-in model, as seconds (the aim is below 10) and as a
 * multiple of the floor: the same number of runtimes that are opened and stopped without a turn. Run: npm run bench -- cases
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../src/clock.ts';
import { loadAgent } from '../src/config/load-agent.ts';
import { readTestCases } from '../src/evals/cases/read-test-cases.ts';
import { runSuite } from '../src/evals/run/run-suite.ts';
import { systemIds } from '../src/ids.ts';
import { createRuntime } from '../src/runtime/runtime.ts';

const COUNT = 100;
const AIM_SECONDS = 10;
const agent = await loadAgent(fileURLToPath(new URL('../agents/todo', import.meta.url)), { withTests: true });
const own = await readTestCases(agent);
const cases = Array.from({ length: COUNT }, (_, index) => ({
  ...(own[index % own.length] ?? { approve: false }),
  name: `case ${index}`,
}));

async function openAndStop(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'holodeck-floor-'));
  const runtime = await createRuntime({ agents: [agent], folder });
  await runtime.stop();
  await rm(folder, { recursive: true, force: true });
}

await openAndStop();
const floorStart = performance.now();
for (let index = 0; index < COUNT; index++) await openAndStop();
const floorMs = performance.now() - floorStart;

const cpuStart = process.cpuUsage();
const { ms, cases: done } = await runSuite({ agent, cases, clock: systemClock, ids: systemIds, parallel: 4 });
const { user, system } = process.cpuUsage(cpuStart);
const passed = done.filter(({ status }) => status === 'passed').length;
const turns = done.reduce((sum, one) => sum + one.turns.length, 0);
const seconds = (ms / 1000).toFixed(1);
console.log(`${COUNT} cases (${turns} turns), ${passed} passed: ${seconds} s (aim below ${AIM_SECONDS} s)`);
// On a busy machine this is the number to compare.
console.log(`${((user + system) / 1e6).toFixed(1)} s of processor time`);
console.log(`${(ms / floorMs).toFixed(1)} × the floor of ${(floorMs / 1000).toFixed(1)} s`);
