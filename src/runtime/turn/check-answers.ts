import { askedCalls, type TurnState } from '../../agent/turn-state.ts';
import { invalidRequest } from '../../errors.ts';
import type { CallAnswer } from '../../schema/conversation/event.ts';

/** Rejects two answers to one call: they may contradict each other, or one would be lost. */
export function refuseTwins(answers: readonly CallAnswer[]): void {
  const ids = answers.map((given) => given.call_id);
  const problems = ids.flatMap((id, index) =>
    ids.indexOf(id) < index ? [{ path: `[${index}].call_id`, message: 'is already answered by an earlier entry' }] : [],
  );
  if (problems.length > 0) throw invalidRequest(problems);
}

/** Rejects an answer to a call that is not waiting, or that waits for the other kind of answer. */
export function checkAnswers(state: TurnState, answers: readonly CallAnswer[]): void {
  const asked = askedCalls(state);
  const problems = answers.flatMap((given, index) => {
    const wait = asked.includes(given.call_id) && state.waits.get(given.call_id);
    if (!wait) return [{ path: `[${index}].call_id`, message: 'no call with this id is waiting for an answer' }];
    const isDecision = 'approved' in given;
    if (isDecision === (wait.kind === 'approval')) return [];
    return [
      {
        path: `[${index}]`,
        message: `this call is waiting for ${wait.kind === 'approval' ? '"approved"' : '"result"'}`,
      },
    ];
  });
  if (problems.length > 0) throw invalidRequest(problems);
}
