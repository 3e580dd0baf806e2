import type { TurnState } from '../agent/turn-state.ts';
import { AppError, invalidRequest } from '../errors.ts';
import type { CallAnswer } from '../schema/event.ts';

/** Two answers to one call contradict each other, or one of them gets lost. */
export function refuseTwins(answers: readonly CallAnswer[]): void {
  const ids = answers.map((given) => given.call_id);
  const problems = ids.flatMap((id, index) =>
    ids.indexOf(id) < index
      ? [{ path: `[${index}].call_id`, message: 'was answered by an earlier entry already' }]
      : [],
  );
  if (problems.length > 0) throw invalidRequest(problems);
}

/** An answer to a call that does not wait, or that asks for the other kind of answer, is the caller's mistake. */
export function checkAnswers(state: TurnState, answers: readonly CallAnswer[]): void {
  const problems = answers.flatMap((given, index) => {
    const wait =
      state.calls.find((call) => call.id === given.call_id)?.state === 'waiting' && state.waits.get(given.call_id);
    if (!wait) return [{ path: `[${index}].call_id`, message: 'no call with this id waits for an answer' }];
    const isDecision = 'approved' in given;
    if (isDecision === (wait.kind === 'approval')) return [];
    return [
      { path: `[${index}]`, message: `this call waits for ${wait.kind === 'approval' ? '"approved"' : '"result"'}` },
    ];
  });
  if (problems.length > 0) throw invalidRequest(problems);
}

export function keyMismatch(): AppError {
  return new AppError('idempotency_mismatch', {
    detail: 'This Idempotency-Key was used for another request. Use a new key for a new message.',
  });
}
