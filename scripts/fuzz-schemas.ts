import { fuzzSchemas } from '../test/fuzz-schemas.ts';

/** Checks 10,000 pairs of foreign schemas and values: `node scripts/fuzz-schemas.ts [seed]`. */
const seed = Number(process.argv[2] ?? Date.now() % 1_000_000);
const report = fuzzSchemas({ pairs: 10_000, maxCopies: 100, seed });
console.log(JSON.stringify({ seed, ...report, beyond: report.beyond.slice(0, 5) }, null, 2));
process.exitCode = report.beyond.length === 0 ? 0 : 1;
