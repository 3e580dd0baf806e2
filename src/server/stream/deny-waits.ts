import type { EventStream } from '../../runtime/live/viewer.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { ChatTurn } from '../../runtime/turn/turn.ts';
import type { CallAnswer, CallWait, Event } from '../../schema/conversation/event.ts';
import type { User } from '../../schema/user.ts';

/**
 * A turn whose approvals are denied and whose questions are left unanswered: a program sent it, and nobody can decide.
 * Calls of the caller's own tools still wait. The model reads the way in which the caller could be asked.
 */
export function denyWaits(
  runtime: Runtime,
  user: User,
  { turn, otherwise }: { turn: ChatTurn; otherwise: string },
): ChatTurn {
  const { pausesAt: _, ...rest } = turn;
  const reason = `this call came from a program that cannot ask anybody; to approve it, ${otherwise}`;
  return { ...rest, events: eventsOf(runtime, user, { first: turn, reason }) };
}

/** `return` also ends a `next` that waits, which a generator alone would not. */
function eventsOf(runtime: Runtime, user: User, { first, reason }: { first: ChatTurn; reason: string }): EventStream {
  let turn = first;
  let hasLeft = false;
  const open = openWaits();
  for (const event of turn.before) open.take(event);
  async function* read(): AsyncGenerator<Event, undefined> {
    while (yield* readPart(turn, open)) {
      if (hasLeft) return;
      await turn.events.return?.();
      turn = await runtime.answer(user, { conversationId: turn.conversationId, answers: open.answers(reason) });
      open.clear();
    }
  }
  const events = read();
  return {
    next: () => events.next(),
    async return() {
      hasLeft = true;
      await turn.events.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** Yields events until the turn ends or pauses; true if it pauses for decisions, whose event is not shown. */
async function* readPart(
  { events, pausesAt }: ChatTurn,
  open: ReturnType<typeof openWaits>,
): AsyncGenerator<Event, boolean> {
  for (;;) {
    const { done, value: event } = await events.next();
    if (done) return open.isPaused();
    open.take(event);
    if (!open.isPaused()) yield event;
    else if (pausesAt?.(event)) return true;
  }
}

/** The calls that wait for a decision or an answer of a person. */
function openWaits() {
  const waits = new Map<string, CallWait>();
  let isPaused = false;
  return {
    take(event: Event) {
      if (event.type === 'tool-call-wait' && event.wait.kind !== 'client') waits.set(event.call_id, event.wait);
      if (event.type === 'tool-call-end') waits.delete(event.call.id);
      isPaused = event.type === 'turn-wait' && waits.size > 0;
    },
    isPaused: () => isPaused,
    answers: (reason: string): CallAnswer[] =>
      [...waits].map(([call_id, { kind }]) =>
        kind === 'approval' ? { call_id, approved: false, reason } : { call_id, result: null },
      ),
    clear() {
      waits.clear();
      isPaused = false;
    },
  };
}
