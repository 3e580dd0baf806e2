import type { ChatTurn } from '../runtime/continue-turn.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { CallAnswer, Event } from '../schema/event.ts';
import type { Json } from '../schema/json.ts';
import type { TurnResult } from '../schema/turn.ts';
import type { User } from '../schema/user.ts';

export interface ShowOptions {
  runtime: Runtime;
  user: User;
  show(event: Event): void;
  /** Decides about a call that waits for a human. */
  decide(event: WaitEvent): Promise<Decision>;
  /** Answers the question of a running call; nothing = declined. */
  reply(event: WaitEvent): Promise<Json | undefined>;
}

export interface Decision {
  approved: boolean;
  reason?: string;
}

export type WaitEvent = Extract<Event, { type: 'tool-call-wait' }>;

/** Shows a turn to its end, asking for every decision on the way. */
export async function showTurn(turn: ChatTurn, options: ShowOptions): Promise<TurnResult> {
  const { runtime, user } = options;
  for (let current = turn; ; ) {
    const waits: WaitEvent[] = [];
    let result: TurnResult | undefined;
    for await (const event of current.events) {
      options.show(event);
      if (event.type === 'tool-call-wait' && event.wait.kind === 'input') void replyTo(event, current, options);
      else if (event.type === 'tool-call-wait') waits.push(event);
      if (event.type === 'turn-end' || event.type === 'turn-wait') result = event.result;
    }
    if (!result) throw new Error('the turn ended without a result');
    if (result.status !== 'waiting') return result;
    const answers: CallAnswer[] = [];
    for (const wait of waits) answers.push({ call_id: wait.call_id, ...(await options.decide(wait)) });
    current = await runtime.answer(user, { conversationId: current.conversationId, answers });
  }
}

/** The turn goes on running meanwhile, so nothing waits for this. */
async function replyTo(event: WaitEvent, { conversationId }: ChatTurn, options: ShowOptions): Promise<void> {
  const { runtime, user } = options;
  const result = await options.reply(event).catch(() => undefined);
  const given = result === undefined ? { approved: false } : { result };
  const answers = [{ call_id: event.call_id, ...given }];
  // The turn may be over by now; then nobody waits for the answer.
  const turn = await runtime.answer(user, { conversationId, answers }).catch(() => undefined);
  await turn?.events.return?.();
}

/** Where nobody can be asked, the answer is no, and the model is told why. */
export async function denyUnasked(): Promise<Decision> {
  return { approved: false, reason: 'there is no terminal to ask in.' };
}

export async function declineUnasked(): Promise<undefined> {
  return undefined;
}
