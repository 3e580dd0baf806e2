import { readFileSync } from 'node:fs';
import type { TurnResult } from '../../src/schema/conversation/turn.ts';

/** A question, and the words that no answer can use; empty if all of it can be answered. */
export interface ConditionQuestion {
  question: string;
  unanswered: string;
}

export interface ConditionScore {
  /** Questions with an unusable condition whose answer reported it or that were declined. */
  noticed: number;
  conditions: number;
  /** Questions without such a condition whose answer reported one. */
  falseAlarms: number;
  plain: number;
  misses: { question: string; expected: string; got: string }[];
}

export function readConditionQuestions(file: string | URL): ConditionQuestion[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n').slice(1);
  return lines.map((line) => {
    const [unanswered = '', question = ''] = line.split('\t');
    return { question, unanswered };
  });
}

/** Asks every question and checks whether its answer reports the unused words. */
export async function scoreConditions(
  questions: readonly ConditionQuestion[],
  ask: (question: string) => Promise<TurnResult>,
): Promise<ConditionScore> {
  const score: ConditionScore = { noticed: 0, conditions: 0, falseAlarms: 0, plain: 0, misses: [] };
  for (const { question, unanswered } of questions) {
    const result = await ask(question);
    const got = result.sources.length === 0 ? 'declined' : (toldOf(result) ?? 'nothing');
    const isRight = unanswered === '' ? isPlain(result) : got === 'declined' || isNoticed(result, unanswered);
    if (unanswered === '') score.plain++;
    else score.conditions++;
    if (unanswered === '' && !isRight) score.falseAlarms++;
    if (unanswered !== '' && isRight) score.noticed++;
    if (!isRight) score.misses.push({ question, expected: unanswered, got: `${got}, ${result.confidence}` });
  }
  return score;
}

function toldOf({ error_details = [] }: TurnResult): string | undefined {
  return error_details.find(({ reason }) => reason.includes('not taken into account'))?.reason;
}

function isPlain(result: TurnResult): boolean {
  return result.confidence === 'high' && toldOf(result) === undefined;
}

/** True if the answer and its details report the words, and the confidence is not high. */
function isNoticed(result: TurnResult, unanswered: string): boolean {
  const told = toldOf(result) ?? '';
  const isTold = told !== '' && result.content.includes(told) && told.toLowerCase().includes(unanswered.toLowerCase());
  return isTold && (result.confidence === 'medium' || result.confidence === 'low');
}
