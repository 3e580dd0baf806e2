import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findNotice, type Mutant, retailMutants, todoMutants } from '../../scripts/agent-mutants.ts';
import { pick } from '../long.ts';

const folderOf = (name: string) => fileURLToPath(new URL(`../../agents/${name}/`, import.meta.url));

/** The whole run is `npm run mutate -- agents`. */
function sample(mutants: readonly Mutant[], every: number): Mutant[] {
  return mutants.filter((_, index) => index % every === 0);
}

describe('the cases of the shipped agents', { timeout: 300_000 }, () => {
  it.each(sample(todoMutants(), pick(6, 2)))('todo: notice "$name"', async (mutant) => {
    expect(await findNotice(folderOf('todo'), mutant)).toBeDefined();
  });

  it.each(sample(retailMutants(folderOf('retail')), pick(50, 15)))('retail: notice "$name"', async (mutant) => {
    expect(await findNotice(folderOf('retail'), mutant)).toBeDefined();
  });
});
