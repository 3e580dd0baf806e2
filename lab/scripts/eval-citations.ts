/**
 * Prints the share of corrupted cited answers that the check catches, and of good ones that it marks. The set was written
 * by an author without sight of the check on 18 November 2026; the check was corrected after its first run, so that it is
 * training data now.
 */
import { readFileSync } from 'node:fs';
import { citeAnswer } from '../../src/knowledge/cite/cite-answer.ts';

interface Row {
  passage: string;
  document: string;
  answer: string;
  corrupted: string;
  fault: string;
}

const file = new URL('../data/knowledge/cites.jsonl', import.meta.url);
const rows = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line): Row => JSON.parse(line));

/** A sentence without a mark is no part of this set. */
function isMarked(row: Row, text: string, cited = row): boolean {
  const passage = { title: cited.document, breadcrumb: [], text: cited.passage };
  const { checks } = citeAnswer({ text, passages: new Map([['p1', passage]]) });
  return checks.some(({ found, citations }) => !found && citations !== undefined);
}

const percent = (part: number, whole: number) => `${part} of ${whole}, ${((100 * part) / whole).toFixed(1)} %`;
for (const [fault, own] of Map.groupBy(rows, (row) => row.fault))
  console.log(`${fault}: ${percent(own.filter((row) => isMarked(row, row.corrupted)).length, own.length)} caught`);
const others = rows.map((row) => [
  row,
  rows.find((one) => one.document === row.document && one.passage !== row.passage),
]);
const wrong = others.flatMap(([row, other]) => (row && other ? [isMarked(row, row.answer, other)] : []));
console.log(`another passage of the document: ${percent(wrong.filter(Boolean).length, wrong.length)} caught`);
console.log(`false alarms: ${percent(rows.filter((row) => isMarked(row, row.answer)).length, rows.length)}`);
