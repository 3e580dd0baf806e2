/**
 * Prints the share of questions about `agents/handbook` that are refused, and of those that the built-in model answers
 * with "I am not sure": answerable ones, ones far from the documents, and ones near to them. Each file of questions is a
 * set of its own; the first two were read to choose the floor.
 */
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../src/clock.ts';
import { UNSURE, writeExtract } from '../../src/knowledge/answer/extract.ts';
import { openKnowledge } from '../../src/knowledge/open-knowledge.ts';
import { KnowledgeEntry } from '../../src/schema/knowledge/entry.ts';

interface Row {
  question: string;
  kind: string;
}

const GOALS: Readonly<Record<string, string>> = { answerable: '≤ 5 %', far: '≥ 95 %', near: '≥ 60 %' };
const folder = fileURLToPath(new URL('../../agents/handbook', import.meta.url));
const sets = fileURLToPath(new URL('../data/knowledge', import.meta.url));
const data = mkdtempSync(join(tmpdir(), 'eval-refusals-'));
const entry = KnowledgeEntry.parse({ source: './documents' });
const base = openKnowledge({ agent: 'eval', name: 'handbook', folder, data, entry, clock: systemClock });
try {
  for (const file of globSync('questions*.jsonl', { cwd: sets }).sort()) await printSet(file);
} finally {
  await base.close();
  rmSync(data, { recursive: true, force: true });
}

async function printSet(file: string): Promise<void> {
  const lines = readFileSync(join(sets, file), 'utf8').trim().split('\n');
  const rows = lines.map((line): Row => JSON.parse(line));
  let [given, closed] = [0, 0];
  for (const [kind, own] of Map.groupBy(rows, (row) => row.kind)) {
    const found = await Promise.all(own.map(({ question }) => answer(question)));
    const answers = found.map(({ text }) => text);
    given += answers.filter((text) => text !== '').length;
    closed += found.filter(({ text, opens }) => text !== '' && !opens).length;
    const share = (count: number) => `${count} of ${own.length}, ${((100 * count) / own.length).toFixed(1)} %,`;
    const refused = answers.filter((text) => text === '').length;
    const unsure = answers.filter((text) => text.startsWith(UNSURE)).length;
    const goal = Object.hasOwn(GOALS, kind) ? ` (goal ${GOALS[kind]})` : '';
    console.log(`${file} ${kind}: ${share(refused)} refused${goal}, ${share(unsure)} answered as unsure`);
  }
  console.log(`${file}: ${closed} of ${given} answers (goal 0) without a passage that opens`);
  if (closed > 0) process.exitCode = 1;
}

/** The answer of the built-in model, empty for a refusal, and whether every passage that it cites opens at its words. */
async function answer(question: string): Promise<{ text: string; opens: boolean }> {
  const { hits } = await base.search(question, { groups: 'all' });
  const found = hits.filter(({ isAboveFloor }) => isAboveFloor);
  const passages = found.map(({ passage }, at) => ({ ...passage, id: `p${at + 1}`, knowledge: 'handbook' }));
  const text = writeExtract(question, passages);
  const cited = passages.filter(({ id }) => text.includes(`[${id}]`));
  const opened = cited.map(async ({ document, start, end, version, text: words }) => {
    const place = await base.read(document, start, end, { groups: 'all', version });
    return place?.isCurrent && place.passage.text === words;
  });
  return { text, opens: cited.length > 0 && (await Promise.all(opened)).every(Boolean) };
}
