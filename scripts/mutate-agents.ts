/**
 * Changes the shipped agents in small ways, one at a time, and runs their cases: a change that no case notices is a gap
 * in the cases. Fails below 95 %. Not part of CI: a run takes minutes.
 *
 *   npm run mutate -- agents [todo | retail] [--sample 10]
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findNotice, type Mutant, retailMutants, todoMutants } from './agent-mutants.ts';

const LEAST_NOTICED = 0.95;
const { values, positionals } = parseArgs({ allowPositionals: true, options: { sample: { type: 'string' } } });
const named = positionals.filter((word) => word !== 'agents');
const folderOf = (name: string) => fileURLToPath(new URL(`../agents/${name}/`, import.meta.url));
const all: Record<string, () => Mutant[]> = { todo: todoMutants, retail: () => retailMutants(folderOf('retail')) };

let noticed = 0;
let count = 0;
for (const [name, make] of Object.entries(all)) {
  if (named.length > 0 && !named.includes(name)) continue;
  const mutants = make();
  const step = values.sample === undefined ? 1 : Math.max(1, Math.floor(mutants.length / Number(values.sample)));
  for (const mutant of mutants.filter((_, index) => index % step === 0)) {
    const by = await findNotice(folderOf(name), mutant);
    count++;
    if (by !== undefined) noticed++;
    console.log(`${by === undefined ? 'SURVIVED' : 'noticed '} ${name}: ${mutant.name}${by ? `  (${by})` : ''}`);
  }
}
console.log(`noticed ${noticed} of ${count} (${((100 * noticed) / count).toFixed(1)} %, limit 95 %)`);
process.exitCode = noticed / count >= LEAST_NOTICED ? 0 : 1;
