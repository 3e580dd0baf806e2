import type { Runtime } from '../../runtime/runtime.ts';
import type { ChatTurn } from '../../runtime/turn/turn.ts';
import type { Event } from '../../schema/conversation/event.ts';
import type { TurnResult } from '../../schema/conversation/turn.ts';
import type { User } from '../../schema/user.ts';

type WaitEvent = Extract<Event, { type: 'tool-call-wait' }>;

export interface RanTurn {
  result: TurnResult;
  /** Names of the tools that an approval was asked for. */
  approvals: string[];
}

/** Reads a turn to its end. Every approval gets the same answer, and questions of running calls are declined. */
export async function readTurn(
  turn: ChatTurn,
  { runtime, user, approve }: { runtime: Runtime; user: User; approve: boolean },
): Promise<RanTurn> {
  const approvals: string[] = [];
  const { conversationId } = turn;
  const answer = (wait: WaitEvent, approved: boolean) =>
    runtime.answer(user, { conversationId, answers: [{ call_id: wait.call_id, approved }] });
  for (let current = turn; ; ) {
    const waits: WaitEvent[] = [];
    let result: TurnResult | undefined;
    for await (const event of current.events) {
      if (event.type === 'tool-call-wait') {
        if (event.wait.kind === 'approval') waits.push(event);
        // The turn may have ended by now; then the answer is not needed.
        else
          void answer(event, false).then(
            (next) => next.events.return?.(),
            () => {},
          );
      }
      if (event.type === 'turn-end' || event.type === 'turn-wait') result = event.result;
    }
    if (!result) throw new Error('The turn ended without a result.');
    approvals.push(...waits.map(({ tool }) => tool));
    if (result.status !== 'waiting' || waits.length === 0) return { result, approvals };
    const answers = waits.map(({ call_id }) => ({ call_id, approved: approve }));
    current = await runtime.answer(user, { conversationId, answers });
  }
}
