import { readFileSync } from 'node:fs';
import { isObject } from '../src/schema/json.ts';
import type { TurnResult } from '../src/schema/turn.ts';

/** A question, and the sets of trusted questions that answer it; none when there is no ready answer. */
export interface SubjectQuestion {
  question: string;
  answers: string[][];
  /** Declining it is right as well. */
  mayDecline: boolean;
}

export interface SubjectScore {
  /** Questions with a trusted one that were answered by it. */
  answered: number;
  answerable: number;
  /** Questions that were answered by another one as if it were meant: not declined, and not told with low confidence. */
  mistaken: number;
  count: number;
  misses: { question: string; got: string; confidence: string }[];
}

const DECLINE = '-';

/** Reads `answers<TAB>question`: ` | ` between alternatives, ` + ` between parts of one answer, `-` for declining. */
export function readSubjectQuestions(file: string | URL): SubjectQuestion[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n').slice(1);
  return lines.map((line) => {
    const [labels = '', question = ''] = line.split('\t');
    const alternatives = labels.split(' | ').filter((label) => label !== '');
    const answers = alternatives.filter((label) => label !== DECLINE).map((label) => label.split(' + '));
    return { question, answers, mayDecline: answers.length === 0 || alternatives.includes(DECLINE) };
  });
}

/** Asks every question and looks which trusted questions stood in for it, and how sure the answer was. */
export async function scoreSubjects(
  questions: readonly SubjectQuestion[],
  ask: (question: string) => Promise<TurnResult>,
): Promise<SubjectScore> {
  const score: SubjectScore = { answered: 0, answerable: 0, mistaken: 0, count: questions.length, misses: [] };
  for (const labelled of questions) {
    const result = await ask(labelled.question);
    const got = answeredBy(result);
    const isRight = labelled.answers.some((parts) => isAnsweredBy(got, parts));
    const isMistaken = got.length > 0 && !isRight && result.confidence !== 'low';
    const isSure = isRight && result.confidence !== 'low';
    if (!labelled.mayDecline) score.answerable++;
    if (!labelled.mayDecline && isSure) score.answered++;
    if (isMistaken) score.mistaken++;
    if (isMistaken || (!labelled.mayDecline && !isSure)) {
      score.misses.push({ question: labelled.question, got: got.join(' + '), confidence: result.confidence ?? '' });
    }
  }
  return score;
}

function answeredBy({ tool_calls }: TurnResult): string[] {
  return tool_calls.flatMap(({ result }) =>
    isObject(result) && typeof result.question === 'string' ? [result.question] : [],
  );
}

function isAnsweredBy(got: readonly string[], parts: readonly string[]): boolean {
  return got.length === parts.length && parts.every((part) => got.some((question) => isInstance(question, part)));
}

/** Whether a question is a trusted one with its parameters filled in. */
function isInstance(question: string, trusted: string): boolean {
  const pieces = trusted.split(/\{\w+\}/).map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${pieces.join('.*')}$`).test(question);
}
