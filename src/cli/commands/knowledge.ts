import { systemClock } from '../../clock.ts';
import { loadAgent } from '../../config/load-agent.ts';
import { AppError } from '../../errors.ts';
import type { BuildProgress, KnowledgeBase, KnowledgeStatus, SearchResult } from '../../knowledge/knowledge.ts';
import { openKnowledge } from '../../knowledge/open-knowledge.ts';
import { sanitizeText } from '../../tools/sanitize.ts';
import { commandText } from '../called-as.ts';
import { dataFolder } from '../data-folder.ts';

export interface KnowledgeCommandOptions {
  data?: string;
  name?: string;
  json?: boolean;
  limit?: number;
}

/** `holodeck knowledge build`: reads what has changed since the last time. */
export async function runBuild(file: string, options: KnowledgeCommandOptions): Promise<void> {
  for (const base of await openBases(file, options)) {
    const { isTTY } = process.stderr;
    const show = (text: string) => isTTY && process.stderr.write(`\r\u001b[K${sanitizeText(text)}`);
    const report = await base.build({ onProgress: (progress) => show(`${base.name}: ${describe(progress)}`) });
    show('');
    const { read, removed, unchanged, passages, rebuilt } = report;
    const again = rebuilt ? `; the index was built again: ${rebuilt}` : '';
    print(`${base.name}: ${read} read, ${removed} removed, ${unchanged} unchanged, ${passages} passages${again}`);
    for (const line of problemLines(await base.status({ groups: 'all' }))) print(line);
    await base.close();
  }
}

function describe({ done, total, document, isWaiting }: BuildProgress): string {
  if (isWaiting) return 'another process builds; waiting for it';
  return `${done} of ${total} documents ${document ?? ''}`;
}

export async function showKnowledge(file: string, options: KnowledgeCommandOptions): Promise<void> {
  for (const base of await openBases(file, options)) {
    const status = await base.status({ groups: 'all' });
    await base.close();
    if (options.json) print(JSON.stringify({ name: base.name, ...status }));
    else for (const line of statusLines(base, status)) print(line);
  }
}

function statusLines({ name }: KnowledgeBase, status: KnowledgeStatus): string[] {
  const { documents, passages, builtAt = 'never', building } = status;
  const now = building ? `; a build runs: ${describe(building)}` : '';
  const read = documents.map(({ document, title, passages }) => `  ${document}: ${title}, ${passages} passages`);
  const head = `${name}: ${documents.length} documents, ${passages} passages, built ${builtAt}${now}`;
  return [head, ...read, ...problemLines(status)];
}

/** One line for each document that was not read as a whole, and for what was left out. */
function problemLines({ documents, remarks }: KnowledgeStatus): string[] {
  const faulty = documents.filter(({ state }) => state !== 'read');
  return [
    ...faulty.map(({ document, reason, state }) => `  ${state}: ${document} ${reason}`),
    ...remarks.map((text) => `  ${text}`),
  ];
}

export async function searchKnowledge(query: string, file: string, options: KnowledgeCommandOptions): Promise<void> {
  for (const base of await openBases(file, options)) {
    const topK = options.limit ?? base.entry.top_k;
    const result = await base.search(query, { groups: 'all', topK });
    await base.close();
    if (options.json) print(JSON.stringify({ name: base.name, ...result }));
    else print(resultText(result));
  }
}

const SHOWN_CHARS = 300;

function resultText({ hits, isFound }: SearchResult): string {
  const found = hits.map(({ passage, support, isAboveFloor }, index) => {
    const { document, title, page, breadcrumb, start, end, text } = passage;
    const place = `${document}${page === undefined ? '' : `, page ${page}`}, ${start}–${end}`;
    const mark = isAboveFloor ? '' : ', below the floor';
    const head = `${index + 1}. ${[title, ...breadcrumb].join(' › ')}`;
    return `${head}\n   ${place} (covers ${Math.round(support * 100)} %${mark})\n   ${shorten(text)}`;
  });
  return [...(isFound ? [] : ['Nothing in the documents answers this.']), ...found].join('\n');
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > SHOWN_CHARS ? `${line.slice(0, SHOWN_CHARS)}…` : line;
}

/** The knowledge of an agent, or the one that is named. */
async function openBases(file: string, { data, name }: KnowledgeCommandOptions): Promise<KnowledgeBase[]> {
  const agent = await loadAgent(file);
  const entries = Object.entries(agent.knowledge ?? {}).filter(([key]) => name === undefined || key === name);
  if (entries.length === 0) {
    const what = name === undefined ? 'has no key knowledge' : `has no knowledge named ${name}`;
    throw new AppError('config_invalid', { detail: `${file} ${what}; ${commandText(['schema'])} shows its shape` });
  }
  const where = { agent: agent.name, folder: agent.folder, data: dataFolder(data, agent), clock: systemClock };
  return entries.map(([key, entry]) => openKnowledge({ ...where, name: key, entry }));
}

function print(text: string): void {
  process.stdout.write(`${sanitizeText(text)}\n`);
}
