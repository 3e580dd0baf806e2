/**
 * Prints the share of corrupted cited answers that the check catches, and of good ones that it marks, for each file of
 * citations. cites.jsonl and cites-2.jsonl were read to correct the check, so that they are training data. Answers of the
 * later sets have no marks: every sentence cites the passage.
 */
import { readFileSync } from 'node:fs';
import { citeAnswer } from '../../src/knowledge/cite/cite-answer.ts';
import { splitCited } from '../../src/knowledge/cite/sentences.ts';

interface Case {
  passage: string;
  document: string;
  answer: string;
  /** `true` for a good answer. */
  kind: string;
}

interface Pair extends Omit<Case, 'kind'> {
  corrupted: string;
  fault: string;
}

/** A sentence without a mark is no part of these sets. */
function isMarked({ document, passage, answer }: Case): boolean {
  const cited = { title: document, breadcrumb: [], text: passage };
  const checks = citeAnswer({ text: answer, passages: new Map([['p1', cited]]) });
  return checks.some(({ found, citations }) => !found && citations !== undefined);
}

/** A good answer, its corruption, and the good answer with another passage of the same document. */
function fromPair({ document, passage, answer, corrupted, fault }: Pair, _: number, all: readonly Pair[]): Case[] {
  const other = all.find((one) => one.document === document && one.passage !== passage);
  return [
    { document, passage, answer, kind: 'true' },
    { document, passage, answer: corrupted, kind: fault },
    ...(other ? [{ document, passage: other.passage, answer, kind: 'another passage of the document' }] : []),
  ];
}

function cite(single: Case): Case {
  const sentences = splitCited(single.answer).map(({ text }) => `${text} [p1]`);
  return { ...single, answer: sentences.join('\n') };
}

function printSet(name: string, cases: readonly Case[]): void {
  for (const [kind, own] of Map.groupBy(cases, (one) => one.kind))
    print(kind === 'true' ? `${name}, good answers (goal ≤ 3 %)` : `${name}, ${kind}`, own);
  print(
    `${name}, all corruptions (goal ≥ 95 %)`,
    cases.filter(({ kind }) => kind !== 'true'),
  );
}

function print(what: string, cases: readonly Case[]): void {
  const marked = cases.filter(isMarked).length;
  console.log(`${what}: ${marked} of ${cases.length} marked, ${((100 * marked) / cases.length).toFixed(1)} %`);
}

function readLines<T>(name: string): T[] {
  const text = readFileSync(new URL(`../data/knowledge/${name}`, import.meta.url), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

printSet('cites', readLines<Pair>('cites.jsonl').flatMap(fromPair));
for (const name of ['cites-2', 'cites-3']) printSet(name, readLines<Case>(`${name}.jsonl`).map(cite));
