import { AppError } from '../errors.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { ChatTurn } from '../runtime/turn/turn.ts';
import type { CallAnswer, Event } from '../schema/conversation/event.ts';
import type { TurnResult } from '../schema/conversation/turn.ts';
import type { Json } from '../schema/json.ts';
import type { User } from '../schema/user.ts';
import { asTyped } from './called-as.ts';

/** Exit code of a program whose last turn failed. */
export const TURN_FAILED = 3;

export interface ShowOptions {
  runtime: Runtime;
  user: User;
  show(event: Event): void;
  /** Decides about a call that waits for a human; `stop` ends the turn instead. */
  decide(event: WaitEvent): Promise<Decision | 'stop'>;
  /** Answers the question of a running call; undefined = declined. */
  reply(event: WaitEvent): Promise<Json | undefined>;
}

export interface Decision {
  approved: boolean;
  reason?: string;
}

export type WaitEvent = Extract<Event, { type: 'tool-call-wait' }>;

/** Shows a turn to its end and asks for every decision. */
export async function showTurn(turn: ChatTurn, options: ShowOptions): Promise<TurnResult> {
  const running = new Map<string, string>();
  const show = (event: Event) => {
    if (event.type === 'tool-call-run') running.set(event.call_id, event.tool);
    if (event.type === 'tool-call-end') running.delete(event.call.id);
    options.show(event);
  };
  try {
    return await showAttempts(turn, { ...options, show });
  } catch (error) {
    if (!(error instanceof AppError) || running.size === 0) throw error;
    throw new AppError(error.code, { detail: notRecorded(error, new Set(running.values())), cause: error });
  }
}

/** A turn that failed while a tool ran must not be repeated blindly, whatever the error itself advises. */
function notRecorded({ code, title, message }: AppError, tools: ReadonlySet<string>): string {
  const names = [...tools].join(', ');
  return `${code === 'store_unavailable' ? message : `${title}.`} It is unknown whether ${names} took effect; check before you ask for it again.`;
}

async function showAttempts(turn: ChatTurn, options: ShowOptions): Promise<TurnResult> {
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
    const next = await decideWaits(current, waits, options);
    if ('finish_reason' in next) return next;
    current = next;
  }
}

/** Asks about every waiting call, then continues the turn or ends it. */
export async function decideWaits(
  turn: Pick<ChatTurn, 'turnId' | 'conversationId'>,
  waits: readonly WaitEvent[],
  options: ShowOptions,
): Promise<ChatTurn | TurnResult> {
  const { runtime, user } = options;
  const { conversationId } = turn;
  const answers: CallAnswer[] = [];
  for (const wait of waits) {
    const decision = await options.decide(wait);
    if (decision === 'stop') return stopWaiting(turn, options);
    answers.push({ call_id: wait.call_id, ...decision });
  }
  return runtime.answer(user, { conversationId, answers });
}

async function stopWaiting(
  { turnId, conversationId }: Pick<ChatTurn, 'turnId' | 'conversationId'>,
  { runtime, user, show }: ShowOptions,
): Promise<TurnResult> {
  await runtime.cancel(user, conversationId);
  const events = await runtime.readEvents(user, turnId);
  const end = events.findLast((event) => event.type === 'turn-end');
  if (!end) throw new Error('the turn ended without a result');
  show(end);
  return end.result;
}

/** Not awaited, because the turn continues to run meanwhile. */
async function replyTo(event: WaitEvent, { conversationId }: ChatTurn, options: ShowOptions): Promise<void> {
  const { runtime, user } = options;
  const result = await options.reply(event).catch(() => undefined);
  const given = result === undefined ? { approved: false } : { result };
  const answers = [{ call_id: event.call_id, ...given }];
  // The turn may have ended by now; then the answer is not needed.
  const turn = await runtime.answer(user, { conversationId, answers }).catch(() => undefined);
  await turn?.events.return?.();
}

/** The person at a terminal is the agent's author: the author's sentence replaces the one for users. */
export function withCause(result: TurnResult, causes: string[]): TurnResult {
  const [message] = result.error ? causes.splice(0) : [];
  return result.error && message ? { ...result, error: { ...result.error, message: asTyped(message) } } : result;
}

/** Without a person to ask, the answer is no, and the model gets the reason. */
export async function denyUnasked(): Promise<Decision> {
  return { approved: false, reason: 'there is no terminal to ask in.' };
}

export async function declineUnasked(): Promise<undefined> {
  return undefined;
}
