import type { Answer, Desk } from '../../../test/data/ask-retail.ts';
import { readSet } from '../find-data.ts';
import { judge, type OutsideQuestion, type Verdict } from './judge.ts';

const DATA = new URL('../../data/routing/', import.meta.url);
const LEARNT = '2026-11-16';
/** Sets of several authors. All of them were learnt from after their first run, which their README states. */
export const OUTSIDE_SETS = [
  LEARNT,
  '2026-11-17a',
  '2026-11-17b',
  '2026-11-17c',
  '2026-11-17d',
  '2026-11-17e',
  '2026-11-17f',
  '2026-11-17g',
  '2026-11-17h',
  '2026-11-17i',
  '2026-11-17j',
  '2026-11-17k',
  '2026-11-18l',
  '2026-11-18m',
  '2026-11-18n',
  '2026-11-18o',
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
  return readSet<OutsideQuestion>(new URL('questions.jsonl', DATA), set);
}

/** Conversations: each turn is asked after the ones before it. Some sets have none. */
export function readConversations(set: OutsideSet = LEARNT): OutsideQuestion[][] {
  return readSet<{ turns: OutsideQuestion[] }>(new URL('conversations.jsonl', DATA), set).map(({ turns }) => turns);
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
