/** Prints how well questions over data domains are routed, checked and answered. Fails if a limit is missed. */

import { makeAnswerPairs, scoreCorruption } from '../../test/data/corrupt-answers.ts';
import {
  readConditionQuestions,
  readRetailRegistry,
  scoreConditions,
  scoreRouting,
} from '../../test/domains/routing-questions.ts';
import { measureFanOut, measureLoad, openRetail, type Retail } from './measure-domains.ts';

interface Row {
  what: string;
  measured: number;
  limit: number;
  kind: 'at least' | 'at most';
  unit: '%' | 'ms';
}

const FOLDER = new URL('../../test/fixtures/routing/', import.meta.url);
const given = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const files =
  given.length > 0
    ? given
    : ['questions.tsv', 'questions-dev.tsv', 'questions-heldout.tsv'].map((name) => new URL(name, FOLDER));

const rows = [...files.flatMap(routingRows), ...corruptionRows(), ...(await answerRows()), ...(await timeRows())];
for (const row of rows) {
  const sign = row.kind === 'at least' ? '≥' : '≤';
  console.log(
    `${isMet(row) ? '✓' : '✗'} ${row.what.padEnd(66)} ${show(row.measured, row.unit).padStart(10)}  ${sign} ${show(row.limit, row.unit)}`,
  );
}
process.exitCode = rows.every(isMet) ? 0 : 1;

function routingRows(file: string | URL): Row[] {
  const score = scoreRouting(file, readRetailRegistry());
  const name = String(file).split('/').at(-1) ?? '';
  if (process.argv.includes('--misses')) console.table(score.misses);
  return [
    { what: `single domain, ${name}`, measured: score.single, limit: 0.97, kind: 'at least', unit: '%' },
    {
      what: `exact set of domains, ${score.count} questions of ${name}`,
      measured: score.exact,
      limit: 0.88,
      kind: 'at least',
      unit: '%',
    },
    {
      what: `of these with several domains, ${name}`,
      measured: score.several,
      limit: 0.88,
      kind: 'at least',
      unit: '%',
    },
    { what: `off topic declined, ${name}`, measured: score.declined, limit: 0.95, kind: 'at least', unit: '%' },
  ];
}

function corruptionRows(): Row[] {
  const score = scoreCorruption(makeAnswerPairs(200, 20_261));
  return [
    {
      what: `corrupted answers caught, ${score.count} of three kinds`,
      measured: score.caught,
      limit: 1,
      kind: 'at least',
      unit: '%',
    },
    {
      what: `false alarms, ${score.checked} figures and quotations`,
      measured: score.falseAlarms,
      limit: 0.02,
      kind: 'at most',
      unit: '%',
    },
  ];
}

async function answerRows(): Promise<Row[]> {
  const retail = await openRetail();
  const rows = await conditionRows(retail);
  await retail.close();
  return rows;
}

async function conditionRows(retail: Retail): Promise<Row[]> {
  const score = await scoreConditions(readConditionQuestions(new URL('conditions.tsv', FOLDER)), retail.ask);
  if (process.argv.includes('--misses')) console.table(score.misses);
  return [
    {
      what: `unanswered conditions told or declined, ${score.conditions} questions`,
      measured: score.noticed / score.conditions,
      limit: 1,
      kind: 'at least',
      unit: '%',
    },
    {
      what: `told of a question that has none, ${score.plain} questions`,
      measured: score.falseAlarms / score.plain,
      limit: 0.02,
      kind: 'at most',
      unit: '%',
    },
  ];
}

async function timeRows(): Promise<Row[]> {
  const load = await measureLoad(100_000);
  return [
    {
      what: '5 domains of 300 ms each, the whole turn',
      measured: await measureFanOut(5, 300),
      limit: 450,
      kind: 'at most',
      unit: 'ms',
    },
    { what: 'a CSV of 100,000 rows, loaded', measured: load.loadMs, limit: 2_000, kind: 'at most', unit: 'ms' },
    {
      what: 'then a question, median of 20',
      measured: load.questionMs,
      limit: 100,
      kind: 'at most',
      unit: 'ms',
    },
  ];
}

function isMet({ measured, limit, kind }: Row): boolean {
  return kind === 'at least' ? measured >= limit : measured <= limit;
}

function show(value: number, unit: Row['unit']): string {
  return unit === '%' ? `${(value * 100).toFixed(1)} %` : `${Math.round(value)} ms`;
}
