/**
 * Prints the share of questions about `agents/handbook` that the floor refuses: answerable ones, ones far from the
 * documents, and ones near to them. Each file of questions is a set of its own.
 */
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../src/clock.ts';
import { openKnowledge } from '../../src/knowledge/open-knowledge.ts';
import { KnowledgeEntry } from '../../src/schema/knowledge/entry.ts';

interface Row {
  question: string;
  kind: string;
}

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
  for (const [kind, own] of Map.groupBy(rows, (row) => row.kind)) {
    let refused = 0;
    for (const { question } of own) refused += (await base.search(question, { groups: 'all' })).isFound ? 0 : 1;
    console.log(`${file} ${kind}: ${refused} of ${own.length} refused, ${((100 * refused) / own.length).toFixed(1)} %`);
  }
}
