import { readFileSync } from 'node:fs';
import type { TurnResult } from '../src/schema/turn.ts';

/** A question, and the words of it that no answer rests on; none when all of it can be answered. */
export interface ConditionQuestion {
  question: string;
  unheard: string;
}

export interface ConditionScore {
  /** Questions with a condition that nothing takes into account: those that said so, or were declined. */
  noticed: number;
  conditions: number;
  /** Questions without any that were answered as if they had one. */
  falseAlarms: number;
  plain: number;
  misses: { question: string; expected: string; got: string }[];
}

export function readConditionQuestions(file: string | URL): ConditionQuestion[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n').slice(1);
  return lines.map((line) => {
    const [unheard = '', question = ''] = line.split('\t');
    return { question, unheard };
  });
}

/** Asks every question and looks whether its answer says what it did not take into account. */
export async function scoreConditions(
  questions: readonly ConditionQuestion[],
  ask: (question: string) => Promise<TurnResult>,
): Promise<ConditionScore> {
  const score: ConditionScore = { noticed: 0, conditions: 0, falseAlarms: 0, plain: 0, misses: [] };
  for (const { question, unheard } of questions) {
    const result = await ask(question);
    const got = result.sources.length === 0 ? 'declined' : (toldOf(result) ?? 'nothing');
    const isRight = unheard === '' ? isPlain(result) : got === 'declined' || isNoticed(result, unheard);
    if (unheard === '') score.plain++;
    else score.conditions++;
    if (unheard === '' && !isRight) score.falseAlarms++;
    if (unheard !== '' && isRight) score.noticed++;
    if (!isRight) score.misses.push({ question, expected: unheard, got: `${got}, ${result.confidence}` });
  }
  return score;
}

function toldOf({ error_details = [] }: TurnResult): string | undefined {
  return error_details.find(({ reason }) => reason.includes('not taken into account'))?.reason;
}

function isPlain(result: TurnResult): boolean {
  return result.confidence === 'high' && toldOf(result) === undefined;
}

/** Told in the answer itself and beside it, and not with high confidence. */
function isNoticed(result: TurnResult, unheard: string): boolean {
  const told = toldOf(result) ?? '';
  const isTold = told !== '' && result.content.includes(told) && told.toLowerCase().includes(unheard.toLowerCase());
  return isTold && (result.confidence === 'medium' || result.confidence === 'low');
}
