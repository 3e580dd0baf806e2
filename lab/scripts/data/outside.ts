import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Answer, Desk } from '../../../test/data/ask-retail.ts';
import { judge, type OutsideQuestion, type Verdict } from './judge.ts';

const DATA = new URL('../../data/routing/', import.meta.url);
const LEARNT = 'outside-2026-11-16';
/** Sets of several authors. All of them were learnt from after their first run, which their README states. */
export const OUTSIDE_SETS = [
  LEARNT,
  'outside-2026-11-17a',
  'outside-2026-11-17b',
  'outside-2026-11-17c',
  'outside-2026-11-17d',
  'outside-2026-11-17e',
  'outside-2026-11-17f',
  'outside-2026-11-17g',
  'outside-2026-11-17h',
  'outside-2026-11-17i',
  'outside-2026-11-17j',
  'outside-2026-11-17k',
  'outside-2026-11-18l',
  'outside-2026-11-18m',
] as const;
type OutsideSet = (typeof OUTSIDE_SETS)[number];

export interface Judged {
  question: OutsideQuestion;
  answer: Answer;
  verdict: Verdict;
  isRouted: boolean;
}

/** Single questions of the outside author. */
export function readQuestions(set: OutsideSet = LEARNT): OutsideQuestion[] {
  const files = readdirSync(new URL(`${set}/`, DATA)).filter((name) => /^questions(?:-\d)?\.jsonl$/.test(name));
  const all = files.toSorted().flatMap((name) => readLines<OutsideQuestion>(`${set}/${name}`));
  return all.filter(({ ask }) => ask !== undefined);
}

/** Conversations: each turn is asked after the ones before it. */
export function readConversations(set: OutsideSet = LEARNT): OutsideQuestion[][] {
  const name = `${set}/conversations.jsonl`;
  // Set g has single questions only.
  if (!existsSync(new URL(name, DATA))) return [];
  const all = readLines<{ turns?: OutsideQuestion[] }>(name);
  return all.flatMap(({ turns }) => (turns ? [turns] : []));
}

function readLines<T>(name: string): T[] {
  const lines = readFileSync(new URL(name, DATA), 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as T); // the author's own format
}

export async function judgeAll(desk: Desk, conversations: readonly OutsideQuestion[][]): Promise<Judged[]> {
  const judged: Judged[] = [];
  for (const turns of conversations) {
    const conversation = {};
    for (const question of turns) {
      const answer = await desk.ask(question.ask, conversation);
      judged.push({ question, answer, verdict: judge(question, answer), isRouted: isRouted(question, answer) });
    }
  }
  return judged;
}

/** The exact set of domains. A table that all domains share may be asked for in any of them. */
function isRouted({ domains, note = '' }: OutsideQuestion, answer: Answer): boolean {
  if (/shared by all domains/.test(note)) return answer.domains.length === 1;
  return domains.toSorted().join() === answer.domains.toSorted().join();
}
