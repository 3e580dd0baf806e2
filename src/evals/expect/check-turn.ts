import type { Failure } from '../../schema/tests/run-report.ts';
import { checkAnswer } from './check-answer.ts';
import { checkCalls } from './check-calls.ts';
import { checkLimits, checkTasks } from './check-state.ts';
import type { Check, TurnOutcome } from './outcome.ts';

const CHECKS: readonly Check[] = [checkAnswer, checkCalls, checkTasks, checkLimits];

/** Every expectation of a turn that its outcome does not meet. */
export function checkTurn(outcome: TurnOutcome): Failure[] {
  return CHECKS.flatMap((check) => check(outcome));
}
