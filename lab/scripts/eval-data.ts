/**
 * Measures answers over data: questions, sentence patterns and changes by another author, against truth by SQL and
 * against a plain computation over the CSV rows. Nothing of the parser or the compiler is used here; the agent is asked
 * as a user would. Ends with 1 if any answer was wrong with high confidence.
 * Run: npm run eval -- data [--only outside|round-trip|mutations|corrupted] [--count 5000] [--seed 1] [--show]
 */
import { parseArgs } from 'node:util';
import { type Desk, openDesk } from '../../test/data/ask-retail.ts';
import { readShop } from '../../test/data/shop.ts';
import { measureCorrupted, measureMutations, measureOutside, measureRoundTrip, type Row } from './data/measures.ts';

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string' },
    count: { type: 'string', default: '5000' },
    mutations: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '20261116' },
    show: { type: 'boolean', default: false },
  },
});

const seed = Number(flags.seed);
const PARTS: Record<string, (desk: Desk) => Promise<Row[]>> = {
  outside: (desk) => measureOutside(desk, show),
  'round-trip': (desk) => measureRoundTrip(desk, readShop(), { count: Number(flags.count), seed, show }),
  mutations: (desk) => measureMutations(desk, readShop(), { count: Number(flags.mutations), seed, show }),
  corrupted: () => measureCorrupted(seed, show),
};

function show(text: string): void {
  if (flags.show) console.log(text);
}

const desk = await openDesk();
try {
  for (const [name, measure] of Object.entries(PARTS)) {
    if (flags.only !== undefined && flags.only !== name) continue;
    console.log(`\n${name}`);
    for (const row of await measure(desk)) print(row);
  }
} finally {
  await desk.close();
}

function print({ name, value, goal, isKept, isSafety = false }: Row): void {
  if (isSafety && !isKept) process.exitCode = 1;
  const verdict = goal === undefined ? '' : isKept ? 'kept' : isSafety ? 'BROKEN' : 'missed';
  console.log(`  ${name.padEnd(58)} ${value.padStart(18)}   ${(goal ?? '').padEnd(10)} ${verdict}`);
}
