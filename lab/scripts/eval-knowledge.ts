/**
 * Prints how well questions find their documents (SciFact, Cranfield), and how the floor separates questions of one set
 * from the documents of the other. Reads outside sets from ../shared/data and is skipped without them.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { systemClock } from '../../src/clock.ts';
import type { KnowledgeBase } from '../../src/knowledge/knowledge.ts';
import { openKnowledge } from '../../src/knowledge/open-knowledge.ts';
import { KnowledgeEntry } from '../../src/schema/knowledge/entry.ts';
import { findData, hasData } from './find-data.ts';

interface Question {
  text: string;
  relevant: Record<string, number>;
}

const SETS = ['scifact', 'cranfield'] as const;
const LEAST_SCIFACT = 0.69;
const FLOORS = [0.3, 0.36, 0.4, 0.45, 0.5, 0.55, 0.6];

const files = SETS.flatMap((name) => [`knowledge/${name}-documents.jsonl.gz`, `knowledge/${name}-questions.jsonl.gz`]);
if (files.every(hasData)) process.exitCode = await evaluate(files.map((file) => readFileSync(findData(file))));

async function evaluate(contents: readonly Buffer[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'eval-knowledge-'));
  try {
    const sets = [];
    for (const [index, name] of SETS.entries()) {
      const documents = readLines<{ id: string; title: string; text: string }>(contents[index * 2]);
      const questions = readLines<Question>(contents[index * 2 + 1]);
      sets.push({ name, questions, base: await build(join(folder, name), documents) });
    }
    const scores = new Map<string, number>();
    for (const { name, base, questions } of sets) {
      scores.set(name, await ndcg(base, questions));
      const goal = name === 'scifact' ? ` (goal ≥ ${LEAST_SCIFACT})` : '';
      console.log(`${name}: nDCG@10 ${scores.get(name)?.toFixed(4)}${goal} over ${questions.length} questions`);
    }
    const [first, second] = sets as [(typeof sets)[0], (typeof sets)[0]];
    await printFloors('scifact, own questions', first.base, first.questions);
    await printFloors('scifact, questions of cranfield', first.base, second.questions);
    await printFloors('cranfield, own questions', second.base, second.questions);
    await printFloors('cranfield, questions of scifact', second.base, first.questions);
    for (const { base } of sets) await base.close();
    return (scores.get('scifact') ?? 0) >= LEAST_SCIFACT ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readLines<T>(bytes: Buffer | undefined): T[] {
  const lines = gunzipSync(bytes ?? '')
    .toString('utf8')
    .trim()
    .split('\n');
  return lines.map((line) => JSON.parse(line));
}

async function build(folder: string, documents: readonly { id: string; title: string; text: string }[]) {
  mkdirSync(join(folder, 'docs'), { recursive: true });
  for (const { id, title, text } of documents)
    writeFileSync(join(folder, 'docs', `${id}.md`), `# ${title.replaceAll('\n', ' ')}\n\n${text}\n`);
  const entry = KnowledgeEntry.parse({ source: './docs' });
  const base = openKnowledge({ agent: 'eval', name: 'set', folder, data: folder, entry, clock: systemClock });
  const { passages } = await base.build();
  console.log(`${documents.length} documents, ${passages} passages`);
  return base;
}

/** Documents count with their best passage. Grades are used as they are: gain 2^grade - 1. */
async function ndcg(base: KnowledgeBase, questions: readonly Question[]): Promise<number> {
  let sum = 0;
  for (const { text, relevant } of questions) {
    const { hits } = await base.search(text, { groups: 'all', topK: 50 });
    const ids = [...new Set(hits.map(({ passage }) => passage.document.replace(/^docs\/|\.md$/g, '')))].slice(0, 10);
    const grades = Object.values(relevant).sort((a, b) => b - a);
    sum += gain(ids.map((id) => relevant[id] ?? 0)) / gain(grades.slice(0, 10));
  }
  return sum / questions.length;
}

function gain(grades: readonly number[]): number {
  return grades.reduce((sum, grade, at) => sum + (2 ** Math.max(grade, 0) - 1) / Math.log2(at + 2), 0);
}

async function printFloors(what: string, base: KnowledgeBase, questions: readonly Question[]): Promise<void> {
  const best: number[] = [];
  for (const { text } of questions) {
    const { hits } = await base.search(text, { groups: 'all' });
    best.push(Math.max(0, ...hits.map(({ support }) => support)));
  }
  const shares = FLOORS.map((floor) => {
    const below = best.filter((support) => support < floor).length / best.length;
    return `${floor}: ${(below * 100).toFixed(1)} %`;
  });
  console.log(`${what}, share below the floor  ${shares.join('  ')}`);
}
