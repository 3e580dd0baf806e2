/** Runs an evaluation by its name: `npm run eval -- <name> [flags]`. Without a name it lists them. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const EVALUATIONS: Record<string, { script: string; what: string }> = {
  builtin: { script: 'scripts/eval-builtin.ts', what: 'the built-in model, each number with its limit' },
  people: { script: 'scripts/simulate-people.ts', what: 'simulated people talk to the todo agent' },
  misses: {
    script: 'scripts/eval-misses.ts',
    what: 'conversations and sentences of some sets, with --misses each miss',
  },
  attacks: { script: 'scripts/eval-attacks.ts', what: 'conversations whose last turn orders nothing' },
  tools: { script: 'scripts/eval-tools.ts', what: 'tool calls of some sets' },
  data: { script: 'scripts/eval-data.ts', what: 'answers over the retail data' },
  routing: { script: 'scripts/eval-routing.ts', what: 'routing, checks and times of data domains' },
  knowledge: { script: 'scripts/eval-knowledge.ts', what: 'documents found for questions, and the floor of a search' },
  'fit-tools': { script: 'scripts/learned/fit-tools.ts', what: 'fits and prints the weights of the choice of tools' },
  test: { script: '../node_modules/vitest/vitest.mjs', what: 'the tests of the evaluations themselves' },
};
const TEST_ARGUMENTS = ['run', '--config', join(import.meta.dirname, 'vitest.config.ts')];

const [name = '', ...given] = process.argv.slice(2);
const evaluation = EVALUATIONS[name];
if (evaluation) {
  const script = join(import.meta.dirname, evaluation.script);
  const { status } = spawnSync(process.execPath, [script, ...(name === 'test' ? TEST_ARGUMENTS : []), ...given], {
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
} else {
  if (name !== '') console.error(`There is no evaluation ${name}.`);
  for (const [known, { what }] of Object.entries(EVALUATIONS))
    console.log(`npm run eval -- ${known.padEnd(10)} ${what}`);
  process.exitCode = name === '' ? 0 : 1;
}
