import type { Questions } from '../agent/running-turn.ts';
import { AppError } from '../errors.ts';
import type { CallAnswer, Event } from '../schema/event.ts';
import type { AssistantMessage } from '../schema/message.ts';
import type { Position } from '../schema/position.ts';
import type { TurnResult } from '../schema/turn.ts';
import { appendDelta } from './journal.ts';
import { createMailbox } from './mailbox.ts';
import { type EventStream, Viewer } from './viewer.ts';

/** A turn that runs in this process: drained at its own pace, watched by any number of viewers. */
export interface LiveTurn {
  readonly turnId: string;
  readonly conversationId: string;
  /** The events after a position (or all), then the rest as it happens. */
  view(after?: Position): EventStream;
  /** Everything told so far, neighbouring deltas joined. */
  told(): readonly Event[];
  /** Hands running calls the answers to their questions. */
  answer(answers: readonly CallAnswer[], key?: string): void;
  /** This call waits for the answer to its question. */
  asks(callId: string): boolean;
  /** A running call waits for a human; such a turn holds no capacity. */
  isAsking(): boolean;
  /** Nothing happens after this event until a question is answered or declined. */
  isPausedAt(event: Event): boolean;
  /** Nothing happens until a question is answered or declined; the turn is kept without viewers meanwhile. */
  isPaused(): boolean;
  /** From now on the turn continues when the last viewer leaves. */
  keepGoing(): void;
  /** Stops the turn and keeps what is there. */
  cancel(): void;
  /** Stops the turn so that a later process can continue it. */
  interrupt(): void;
  /** The same as soon as nothing happens without an answer to a question, which may be now. */
  interruptWhenPaused(): void;
  /** The result, or the reason why the journal could not be written. */
  readonly done: Promise<TurnResult>;
}

export interface LiveTurnOptions {
  turnId: string;
  conversationId: string;
  /** What was written together with the turn itself. */
  first: readonly Event[];
  /** Goes on when the last viewer leaves. */
  keepsGoing: boolean;
  run(signal: AbortSignal, questions: Questions): AsyncGenerator<Event, TurnResult>;
  /** Why a running call may not ask now; undefined = it may. */
  refuseQuestion?(): string | undefined;
  /** Told every event of this attempt; must not throw. */
  watch?: ((event: Event) => void) | undefined;
}

export function startLiveTurn(options: LiveTurnOptions): LiveTurn {
  const { turnId, conversationId } = options;
  const told: Event[] = [...options.first];
  const viewers = new Set<Viewer>();
  const stopper = new AbortController();
  const questions = createMailbox(() => options.refuseQuestion?.());
  let { keepsGoing } = options;
  let pausedAt: string | undefined;
  let isOver = false;
  let endsWhenPaused = false;
  const isPaused = () => pausedAt !== undefined && questions.isAsking();

  const interrupt = () => stopper.abort(new AppError('shutting_down', { detail: 'The server is stopping.' }));
  const tell = (event: Event) => {
    appendDelta(told, event);
    if (event.type === 'step-end') shareText(told, event.message);
    if (event.type === 'turn-wait') pausedAt = event.asking && event.id;
    if (event.type === 'turn-resume') pausedAt = undefined;
    options.watch?.(event);
    for (const viewer of viewers) viewer.push(event);
    if (endsWhenPaused && isPaused()) interrupt();
  };
  const drain = async (): Promise<TurnResult> => {
    const loop = options.run(stopper.signal, questions);
    try {
      for (;;) {
        const next = await loop.next();
        if (next.done) return next.value;
        tell(next.value);
      }
    } finally {
      isOver = true;
    }
  };
  const leave = (viewer: Viewer) => {
    viewers.delete(viewer);
    if (viewers.size === 0 && !keepsGoing && !isOver && !isPaused()) stopper.abort(new Error('the last viewer left'));
  };
  const done = drain();
  endWith(done, viewers);

  return {
    turnId,
    conversationId,
    view(after) {
      const viewer = new Viewer({ told, after, onLeave: leave });
      viewers.add(viewer);
      if (isOver) endWith(done, [viewer]);
      return viewer;
    },
    told: () => told,
    answer: questions.answer,
    asks: questions.asks,
    isAsking: questions.isAsking,
    isPausedAt: (event) => isPaused() && event.id === pausedAt,
    isPaused,
    keepGoing() {
      keepsGoing = true;
    },
    cancel: () => stopper.abort(new Error('cancelled')),
    interrupt,
    interruptWhenPaused() {
      endsWhenPaused = true;
      if (isPaused()) interrupt();
    },
    done,
  };
}

/** A whole reply is in its message and was told in deltas: both hold the same text, so that it is in memory once. */
function shareText(told: Event[], message: AssistantMessage | undefined): void {
  if (!message) return;
  const index = told.findLastIndex((event) => event.type === 'text-delta' && event.message_id === message.id);
  const delta = told[index];
  if (delta?.type !== 'text-delta' || delta.text.length !== message.content.length) return;
  told[index] = { ...delta, text: message.content };
}

/** Ends the viewers when the turn ends, also those that are added until then. */
function endWith(done: Promise<unknown>, viewers: Iterable<Viewer>): void {
  done.then(
    () => {
      for (const viewer of viewers) viewer.end();
    },
    (error: unknown) => {
      for (const viewer of viewers) viewer.fail(error);
    },
  );
}
