/**
 * Measures a knowledge base of 10,000 pages: build, build after one change, search, memory. Prints a table with the goals,
 * and exits with 1 if one is missed. `--pages` takes another number of pages. Run:
 * npm run bench -- knowledge [--pages <count>]
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '../src/clock.ts';
import { openKnowledge } from '../src/knowledge/open-knowledge.ts';
import { KnowledgeEntry } from '../src/schema/knowledge/entry.ts';

const { values: options } = parseArgs({ options: { pages: { type: 'string', default: '10000' } } });
const pages = Number(options.pages);
const WORDS_OF_PAGE = 500;
const SEARCHES = 300;
/** The most frequent words of a language are stop words, which no search uses. */
const FUNCTION_WORDS = 100;
const MB = 1024 * 1024;
const GOALS = { build: 300, change: 3, search: 80, memory: 400 } as const;

const folder = mkdtempSync(join(tmpdir(), 'bench-knowledge-'));
const words = makeWords(20_000);
let seed = 1;
let memory = 0;
const onProgress = () => {
  memory = Math.max(memory, process.memoryUsage.rss());
};
try {
  for (let page = 0; page < pages; page++) writePage(page);
  const entry = KnowledgeEntry.parse({ source: './docs' });
  const base = openKnowledge({ agent: 'bench', name: 'docs', folder, data: folder, entry, clock: systemClock });
  let passages = 0;
  const build = await secondsOf(async () => {
    ({ passages } = await base.build({ onProgress }));
  });
  writePage(Math.min(4_711, pages - 1));
  const change = await secondsOf(() => base.build({ onProgress }));
  const times: number[] = [];
  for (let at = 0; at < SEARCHES; at++) {
    const question = Array.from({ length: 8 }, () => pickWord(FUNCTION_WORDS)).join(' ');
    times.push(1_000 * (await secondsOf(() => base.search(question, { groups: 'all' }))));
    onProgress();
  }
  await base.close();
  times.sort((a, b) => a - b);
  console.log(`${pages} pages of ${WORDS_OF_PAGE} words, ${passages} passages, ${SEARCHES} searches of eight words\n`);
  console.log('| | measured | goal |\n|---|--:|--:|');
  printRow('build', { value: build, goal: GOALS.build, unit: 's' });
  printRow('build after one changed page', { value: change, goal: GOALS.change, unit: 's' });
  printRow('search, 95 of 100', { value: times[Math.floor(SEARCHES * 0.95)] ?? 0, goal: GOALS.search, unit: 'ms' });
  printRow('memory of the process', { value: memory / MB, goal: GOALS.memory, unit: 'MB' });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function secondsOf(action: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await action();
  return (performance.now() - begun) / 1_000;
}

function printRow(what: string, { value, goal, unit }: { value: number; goal: number; unit: string }): void {
  const isMissed = value > goal;
  if (isMissed) process.exitCode = 1;
  const shown = value < 10 ? value.toFixed(2) : String(Math.round(value));
  console.log(`| ${what} | ${shown} ${unit}${isMissed ? ', missed' : ''} | ≤ ${goal} ${unit} |`);
}

/** Words as frequent as in a language: the share of a word is one by its rank. */
function pickWord(from = 0): string {
  const rank = Math.floor(words.length ** random()) - 1;
  return rank < from ? pickWord(from) : (words[rank] ?? 'word');
}

function writePage(page: number): void {
  const section = (at: number) => {
    const sentences = Array.from({ length: WORDS_OF_PAGE / 3 / 12 }, () =>
      Array.from({ length: 12 }, pickWord).join(' '),
    );
    return `## ${pickWord()} ${pickWord()} ${at}\n\n${sentences.map((text) => `A${text}.`).join(' ')}`;
  };
  const path = join(folder, 'docs', String(page % 100), `${page}.md`);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, `# ${pickWord()} ${pickWord()}\n\n${[1, 2, 3].map(section).join('\n\n')}\n`);
}

function makeWords(count: number): string[] {
  const letters = 'aeioubcdfglmnprst';
  return Array.from({ length: count }, (_, at) => {
    let word = '';
    for (let rest = at + 17; rest > 0; rest = Math.floor(rest / 17))
      word += `${letters[rest % 17]}${letters[(rest * 5) % 17]}`;
    return word;
  });
}

/** The same numbers in every run. */
function random(): number {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return seed / 2_147_483_648;
}
