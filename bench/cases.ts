/** Prints the time of about 100 cases of the todo agent with the built-in model: the aim is below 10 s. Run: node bench/cases.ts */
import { fileURLToPath } from 'node:url';
import { systemClock } from '../src/clock.ts';
import { loadAgent } from '../src/config/load-agent.ts';
import { readTestCases } from '../src/evals/cases/read-test-cases.ts';
import { runSuite } from '../src/evals/run/run-suite.ts';
import { systemIds } from '../src/ids.ts';

const COUNT = 100;
const AIM_SECONDS = 10;
const agent = await loadAgent(fileURLToPath(new URL('../agents/todo', import.meta.url)), { withTests: true });
const own = await readTestCases(agent);
const cases = Array.from({ length: COUNT }, (_, index) => ({
  ...(own[index % own.length] ?? { approve: false }),
  name: `case ${index}`,
}));
const { ms, cases: done } = await runSuite({ agent, cases, clock: systemClock, ids: systemIds, parallel: 4 });
const passed = done.filter(({ status }) => status === 'passed').length;
console.log(`${COUNT} cases, ${passed} passed: ${(ms / 1000).toFixed(1)} s (aim below ${AIM_SECONDS} s)`);
