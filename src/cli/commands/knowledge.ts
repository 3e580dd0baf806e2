import { systemClock } from '../../clock.ts';
import { loadAgent } from '../../config/load-agent.ts';
import { AppError } from '../../errors.ts';
import type { KnowledgeBase } from '../../knowledge/knowledge.ts';
import { openKnowledge } from '../../knowledge/open-knowledge.ts';
import { problemLines, progressText, reportText, resultText, statusText } from '../../knowledge/show-text.ts';
import type { Agent } from '../../schema/agent.ts';
import { sanitizeText } from '../../tools/sanitize.ts';
import { commandText } from '../called-as.ts';
import { dataFolder } from '../folders.ts';
import { print } from '../print.ts';

export interface KnowledgeCommandOptions {
  data?: string;
  name?: string;
  json?: boolean;
  limit?: number;
}

/** `holodeck knowledge build`: reads what has changed since the last time. */
export async function runBuild(file: string, options: KnowledgeCommandOptions): Promise<void> {
  const show = (text: string) => process.stderr.isTTY && process.stderr.write(`\r\u001b[K${sanitizeText(text)}`);
  await eachBase(file, options, async (base) => {
    const report = await base.build({ onProgress: (progress) => show(`${base.name}: ${progressText(progress)}`) });
    show('');
    print([reportText(base.name, report), ...problemLines(await base.status({ groups: 'all' }))].join('\n'));
  });
}

export async function showKnowledge(file: string, options: KnowledgeCommandOptions): Promise<void> {
  await eachBase(file, options, async ({ name, status: read }) => {
    const status = await read({ groups: 'all' });
    const documents = status.documents.map(({ document, title, passages }) => `  ${document}: ${title}, ${passages}`);
    if (options.json) print(JSON.stringify({ name, ...status }));
    else print([statusText(name, status), ...documents, ...problemLines(status)].join('\n'));
  });
}

export async function searchKnowledge(query: string, file: string, options: KnowledgeCommandOptions): Promise<void> {
  await eachBase(file, options, async ({ name, entry, search }) => {
    const result = await search(query, { groups: 'all', topK: options.limit ?? entry.top_k });
    print(options.json ? JSON.stringify({ name, ...result }) : resultText(result));
  });
}

/** The knowledge of an agent, or the one that is named. */
async function eachBase(
  file: string,
  { data, name }: KnowledgeCommandOptions,
  action: (base: KnowledgeBase) => Promise<void>,
): Promise<void> {
  const agent = await loadAgent(file);
  const bases = openBases(agent, dataFolder(data, agent)).filter((base) => name === undefined || base.name === name);
  if (bases.length === 0) {
    const what = name === undefined ? 'has no key knowledge' : `has no knowledge named ${name}`;
    throw new AppError('config_invalid', { detail: `${file} ${what}; ${commandText(['schema'])} shows its shape` });
  }
  for (const base of bases) await action(base).finally(() => base.close());
}

export function openBases({ name: agent, folder, knowledge = {} }: Agent, data: string): KnowledgeBase[] {
  const where = { agent, folder, data, clock: systemClock };
  return Object.entries(knowledge).map(([name, entry]) => openKnowledge({ ...where, name, entry }));
}
