/**
 * Measures a knowledge base of 10,000 pages: build, build after one change, search, memory. Run:
 * npm run bench -- knowledge
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../src/clock.ts';
import { openKnowledge } from '../src/knowledge/open-knowledge.ts';
import { KnowledgeEntry } from '../src/schema/knowledge/entry.ts';

const PAGES = 10_000;
const WORDS_OF_PAGE = 500;
const SEARCHES = 300;
/** The most frequent words of a language are stop words, which no search uses. */
const FUNCTION_WORDS = 100;
const MB = 1024 * 1024;

const folder = mkdtempSync(join(tmpdir(), 'bench-knowledge-'));
const words = makeWords(20_000);
let seed = 1;
try {
  for (let page = 0; page < PAGES; page++) writePage(page);
  const entry = KnowledgeEntry.parse({ source: './docs' });
  const base = openKnowledge({ agent: 'bench', name: 'docs', folder, data: folder, entry, clock: systemClock });
  let memory = 0;
  const onProgress = () => {
    memory = Math.max(memory, process.memoryUsage.rss());
  };
  const { passages } = await row('build', 'below 300 s', () => base.build({ onProgress }));
  console.log(`${PAGES} pages of ${WORDS_OF_PAGE} words, ${passages} passages`);
  writePage(4_711);
  await row('build after one change', 'below 3 s', () => base.build({ onProgress }));
  const times: number[] = [];
  const cpu = process.cpuUsage();
  for (let at = 0; at < SEARCHES; at++) {
    const question = Array.from({ length: 8 }, () => pickWord(FUNCTION_WORDS)).join(' ');
    const begun = performance.now();
    await base.search(question, { groups: 'all' });
    times.push(performance.now() - begun);
  }
  const { user, system } = process.cpuUsage(cpu);
  onProgress();
  times.sort((a, b) => a - b);
  console.log(
    `search p50 ${times[SEARCHES / 2]?.toFixed(1)} ms, p95 ${times[SEARCHES * 0.95]?.toFixed(1)} ms (below 80 ms), ${((user + system) / 1000 / SEARCHES).toFixed(1)} ms of processor time`,
  );
  console.log(`memory ${Math.round(memory / MB)} MB (below 400 MB)`);
  await base.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function row<T>(what: string, limit: string, action: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  const cpu = process.cpuUsage();
  const result = await action();
  const { user, system } = process.cpuUsage(cpu);
  const seconds = ((performance.now() - begun) / 1000).toFixed(2);
  console.log(`${what} ${seconds} s (${limit}), ${((user + system) / 1e6).toFixed(2)} s of processor time`);
  return result;
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
