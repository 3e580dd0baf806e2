/**
 * Runs an evaluation by its name: `npm run eval -- <name> [flags]`. Without a name it lists them. With `--write` the output
 * becomes the section of that command in lab/numbers.md.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
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
  citations: { script: 'scripts/eval-citations.ts', what: 'corrupted citations caught, and false alarms' },
  refusals: { script: 'scripts/eval-refusals.ts', what: 'questions that the floor of a search refuses' },
  'fit-tools': { script: 'scripts/learned/fit-tools.ts', what: 'fits and prints the weights of the choice of tools' },
  test: { script: '../node_modules/vitest/vitest.mjs', what: 'the tests of the evaluations themselves' },
};
const TEST_ARGUMENTS = ['run', '--config', join(import.meta.dirname, 'vitest.config.ts')];
const NUMBERS = join(import.meta.dirname, 'numbers.md');
const HEAD = `# Numbers of the evaluations

Each section is the output of its command, written by \`--write\`. A command that misses a limit names it. Rows whose data is not next to the
repository are skipped.
`;

const [name = '', ...given] = process.argv.slice(2);
const evaluation = EVALUATIONS[name];
if (evaluation) process.exitCode = run(evaluation.script);
else {
  if (name !== '') console.error(`There is no evaluation ${name}.`);
  for (const [known, { what }] of Object.entries(EVALUATIONS))
    console.log(`npm run eval -- ${known.padEnd(10)} ${what}`);
  process.exitCode = name === '' ? 0 : 1;
}

function run(script: string): number {
  const flags = given.filter((flag) => flag !== '--write');
  const writes = flags.length < given.length;
  const args = [join(import.meta.dirname, script), ...(name === 'test' ? TEST_ARGUMENTS : []), ...flags];
  const { status, stdout } = spawnSync(process.execPath, args, {
    stdio: ['inherit', writes ? 'pipe' : 'inherit', 'inherit'],
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (writes && stdout.trim() !== '') {
    process.stdout.write(stdout);
    writeSection(['npm run eval --', name, ...flags].join(' '), stdout);
  }
  return status ?? 1;
}

/** Replaces the section of a command, or adds it. */
function writeSection(command: string, output: string): void {
  const page = existsSync(NUMBERS) ? readFileSync(NUMBERS, 'utf8') : HEAD;
  const [head = HEAD, ...sections] = page.split(/^(?=## )/m);
  const title = `## \`${command}\``;
  const day = new Date().toISOString().slice(0, 10);
  const section = `${title}\n\n${day}\n\n\`\`\`\n${output.trim()}\n\`\`\`\n`;
  const others = sections.filter((one) => !one.startsWith(`${title}\n`)).map((one) => one.trim());
  const all = [head.trim(), ...[...others, section.trim()].toSorted()];
  writeFileSync(NUMBERS, `${all.join('\n\n')}\n`);
}
