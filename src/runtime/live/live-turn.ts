import type { Questions } from '../../agent/running-turn.ts';
import { AppError } from '../../errors.ts';
import type { CallAnswer, Event, EventOf } from '../../schema/conversation/event.ts';
import type { AssistantMessage } from '../../schema/conversation/message.ts';
import type { TurnResult } from '../../schema/conversation/turn.ts';
import type { Position } from '../../schema/position.ts';
import { appendDelta } from '../turn/journal.ts';
import { createMailbox } from './mailbox.ts';
import { type EventStream, Viewer } from './viewer.ts';

/** A turn that runs in this process, at its own pace, watched by any number of viewers. */
export interface LiveTurn {
  readonly turnId: string;
  readonly conversationId: string;
  /** The events after a position (or all), then further events as they happen. */
  view(after?: Position): EventStream;
  /** The same events for another server; such a reader neither keeps the turn going nor ends it by leaving. */
  watch(after?: Position): EventStream;
  /** All events so far, with adjacent deltas joined. */
  events(): readonly Event[];
  /** Passes the answers to the running calls that asked for them. */
  answer(answers: readonly CallAnswer[], key?: string): void;
  /** Whether this call waits for the answer to its question. */
  asks(callId: string): boolean;
  /** Whether a running call waits for a human; such a turn uses no capacity. */
  isAsking(): boolean;
  /** Whether the turn is paused after this event until a question is answered or declined. */
  isPausedAt(event: Event): boolean;
  /**
   * Whether the turn is paused until a question is answered or declined. A paused turn is kept even without viewers.
   */
  isPaused(): boolean;
  /** From now on the turn continues when the last viewer leaves. */
  keepGoing(): void;
  /** Stops the turn and keeps its output so far. Returns false if the turn was being stopped already. */
  cancel(): boolean;
  /** Stops the turn so that a later process can continue it. */
  interrupt(): void;
  /** Interrupts the turn as soon as it is paused by a question, which may be now. */
  interruptWhenPaused(): void;
  /** The result; rejects if the journal could not be written. */
  readonly done: Promise<TurnResult>;
}

export interface LiveTurnOptions {
  turnId: string;
  conversationId: string;
  /** A turn of a member, which runs in the place of its team's turn. */
  isMember?: boolean;
  /** The events written together with the turn itself. */
  first: readonly Event[];
  /** Continues when the last viewer leaves. */
  keepsGoing: boolean;
  run(signal: AbortSignal, questions: Questions): AsyncGenerator<Event, TurnResult>;
  /** The reason why a running call may not ask now; undefined = it may. */
  refuseQuestion?(): string | undefined;
  /** Receives every event of this attempt; must not throw. */
  watch?: ((event: Event) => void) | undefined;
}

export function startLiveTurn(options: LiveTurnOptions): LiveTurn {
  const { turnId, conversationId } = options;
  const events: Event[] = [...options.first];
  const stopper = new AbortController();
  const questions = createMailbox(() => options.refuseQuestion?.());
  let { keepsGoing } = options;
  let pausedAt: string | undefined;
  let isOver = false;
  let endsWhenPaused = false;
  const isPaused = () => pausedAt !== undefined && questions.isAsking();

  const interrupt = () => stopper.abort(new AppError('shutting_down', { detail: 'The server is stopping.' }));
  const emit = (event: Event) => {
    if (event.type === 'tool-call-delta') appendArguments(events, event);
    else appendDelta(events, event);
    if (event.type === 'step-end') shareText(events, event.message);
    if (event.type === 'turn-wait') pausedAt = event.asking && event.id;
    if (event.type === 'turn-resume') pausedAt = undefined;
    options.watch?.(event);
    audience.push(event);
    if (endsWhenPaused && isPaused()) interrupt();
  };
  const drain = async (): Promise<TurnResult> => {
    const loop = options.run(stopper.signal, questions);
    try {
      for (;;) {
        const next = await loop.next();
        if (next.done) return next.value;
        emit(next.value);
      }
    } finally {
      isOver = true;
    }
  };
  const audience = createAudience(events, () => {
    if (!keepsGoing && !isOver && !isPaused()) stopper.abort(new Error('the last viewer left'));
  });
  const done = drain();
  audience.endWith(done);

  return {
    turnId,
    conversationId,
    view: (after) => audience.open(after),
    watch: (after) => audience.open(after, { counts: false }),
    events: () => events,
    answer: questions.answer,
    asks: questions.asks,
    isAsking: questions.isAsking,
    isPausedAt: (event) => isPaused() && event.id === pausedAt,
    isPaused,
    keepGoing() {
      keepsGoing = true;
    },
    cancel() {
      const isFirst = !stopper.signal.aborted;
      stopper.abort(new Error('cancelled'));
      return isFirst;
    },
    interrupt,
    interruptWhenPaused() {
      endsWhenPaused = true;
      if (isPaused()) interrupt();
    },
    done,
  };
}

/** Joins a piece of a call's arguments with the previous one, so that many small pieces take little memory. */
function appendArguments(events: Event[], event: EventOf<'tool-call-delta'>): void {
  const last = events.at(-1);
  const isNext =
    last?.type === 'tool-call-delta' && last.call_id === event.call_id && last.start + last.text.length === event.start;
  if (isNext) events[events.length - 1] = { ...event, start: last.start, text: last.text + event.text };
  else events.push(event);
}

/** A reply is stored in its message and was sent as deltas. Both get the same string, so that memory holds it once. */
function shareText(events: Event[], message: AssistantMessage | undefined): void {
  if (!message) return;
  const index = events.findLastIndex((event) => event.type === 'text-delta' && event.message_id === message.id);
  const delta = events[index];
  if (delta?.type !== 'text-delta' || delta.text.length !== message.content.length) return;
  events[index] = { ...delta, text: message.content };
}

interface Audience {
  /** A viewer that does not count is no reason to continue a turn, and its leaving no reason to stop it. */
  open(after?: Position, options?: { counts: boolean }): Viewer;
  push(event: Event): void;
  /** Ends all viewers with the turn, including viewers that are added later. */
  endWith(done: Promise<unknown>): void;
}

/** The viewers of one turn. */
function createAudience(events: readonly Event[], onLastLeft: () => void): Audience {
  const viewers = new Map<Viewer, { counts: boolean }>();
  let ending: Promise<unknown> | undefined;
  const end = (viewer: Viewer, done: Promise<unknown>) => {
    done.then(
      () => viewer.end(),
      (error: unknown) => viewer.fail(error),
    );
  };
  const leave = (viewer: Viewer) => {
    const counted = viewers.get(viewer)?.counts;
    viewers.delete(viewer);
    if (counted && ![...viewers.values()].some(({ counts }) => counts)) onLastLeft();
  };
  return {
    open(after, options = { counts: true }) {
      const viewer = new Viewer({ events, after, onLeave: leave });
      viewers.set(viewer, options);
      if (ending) end(viewer, ending);
      return viewer;
    },
    push(event) {
      for (const viewer of viewers.keys()) viewer.push(event);
    },
    endWith(done) {
      ending = done;
      for (const viewer of viewers.keys()) end(viewer, done);
    },
  };
}
