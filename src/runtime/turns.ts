import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { User } from '../schema/user.ts';
import { type Admission, createShare } from './admission.ts';
import { type LiveTurn, type LiveTurnOptions, startLiveTurn } from './live-turn.ts';

/** The hub of the turns that run in this process: admission, viewers, cancel and stop, once for every front. */
export interface Turns extends Admission {
  /**
   * Holds a place while a turn is begun; throws `over_capacity` or `shutting_down`. Asked for before anything is
   * written. Turns of one user that run detached or ask a question count against that user's share, too.
   */
  take: Admission['take'];
  /** Runs the turn; the caller holds its lease. */
  start(user: User, options: LiveTurnOptions): LiveTurn;
  findByConversation(user: User, conversationId: string): LiveTurn | undefined;
  findByTurn(user: User, turnId: string): LiveTurn | undefined;
  /** Calls back when a turn of this conversation begins; the returned function stops that. */
  onStart(user: User, conversationId: string, callback: () => void): () => void;
  readonly active: number;
  /** Resolves when the turns that run now have ended. */
  settled(): Promise<void>;
  /**
   * Takes no new turn, lets the running ones finish for `graceMs`, then interrupts the rest and waits for their end.
   * A turn that only waits for the answer to a question is interrupted at once.
   */
  stop(graceMs: number): Promise<void>;
}

/** Turns of one user that may wait for an answer at once: each holds a tool's connection open. */
const MAX_ASKING = 3;

interface Entry {
  userId: string;
  turn: LiveTurn;
}

export interface TurnsOptions {
  /** Of all users together; turns that ask do not count. */
  maxActive: number;
  /** Of one user; undefined = no limit of its own. */
  maxPerUser?: number | undefined;
  clock: Clock;
}

export function createTurns({ maxActive, maxPerUser, clock }: TurnsOptions): Turns {
  const share = createShare({ perUser: maxPerUser, what: 'turns are running' });
  const entries = new Map<string, Entry>();
  const starts = createWatchers();
  let admitted = 0;
  let isStopping = false;
  let allStarted = Promise.withResolvers<void>();
  const find = (user: User, matches: (turn: LiveTurn) => boolean) =>
    [...entries.values()].find((entry) => entry.userId === user.id && matches(entry.turn))?.turn;
  const refuseQuestion = (user: User, turnId: string): string | undefined => {
    const others = [...entries.values()].filter(({ userId, turn }) => userId === user.id && turn.turnId !== turnId);
    if (others.filter(({ turn }) => turn.isAsking()).length < MAX_ASKING) return undefined;
    return `A question was declined: ${MAX_ASKING} other turns of yours wait for an answer. Answer or cancel one of them.`;
  };
  const countWorking = () => [...entries.values()].filter(({ turn }) => !turn.isAsking()).length;

  return {
    take(user) {
      if (isStopping) throw stopping();
      if (admitted + entries.size >= maxActive && admitted + countWorking() >= maxActive) {
        const detail = `${maxActive} turns are running, which is the limit. Try again in a moment.`;
        throw new AppError('over_capacity', { detail, retryAfterSeconds: 1 });
      }
      const place = share.take(user);
      admitted++;
      return {
        release() {
          place.release();
          admitted--;
          if (admitted === 0) allStarted.resolve();
        },
      };
    },
    start(user, options) {
      const turn = startLiveTurn({ ...options, refuseQuestion: () => refuseQuestion(user, options.turnId) });
      entries.set(turn.turnId, { userId: user.id, turn });
      const place = share.hold(user);
      const forget = () => {
        entries.delete(turn.turnId);
        place.release();
      };
      turn.done.then(forget, forget);
      starts.announce(user, turn.conversationId);
      return turn;
    },
    onStart: starts.watch,
    findByConversation: (user, conversationId) => find(user, (turn) => turn.conversationId === conversationId),
    findByTurn(user, turnId) {
      const entry = entries.get(turnId);
      return entry?.userId === user.id ? entry.turn : undefined;
    },
    get active() {
      return entries.size;
    },
    async settled() {
      await Promise.allSettled([...entries.values()].map((entry) => entry.turn.done));
    },
    async stop(graceMs) {
      isStopping = true;
      // Who was let in before has begun to write; what it starts is waited for too.
      allStarted = Promise.withResolvers();
      if (admitted > 0) await allStarted.promise;
      const running = [...entries.values()].map((entry) => entry.turn);
      const ended = Promise.allSettled(running.map((turn) => turn.done));
      for (const turn of running) turn.interruptWhenPaused();
      const calm = clock.after(graceMs, () => {
        for (const turn of running) turn.interrupt();
      });
      await ended;
      calm();
    },
  };
}

function stopping(): AppError {
  return new AppError('shutting_down', {
    detail: 'The server is stopping. Try again in a moment.',
    retryAfterSeconds: 1,
  });
}

/** Callbacks by conversation, for readers who wait for its next turn. */
function createWatchers() {
  const watchers = new Map<string, Set<() => void>>();
  return {
    announce(user: User, conversationId: string) {
      for (const callback of watchers.get(watchKey(user, conversationId)) ?? []) callback();
    },
    watch(user: User, conversationId: string, callback: () => void): () => void {
      const key = watchKey(user, conversationId);
      const callbacks = watchers.get(key) ?? new Set();
      watchers.set(key, callbacks.add(callback));
      return () => {
        callbacks.delete(callback);
        if (callbacks.size === 0) watchers.delete(key);
      };
    },
  };
}

function watchKey(user: User, conversationId: string): string {
  return `${user.id} ${conversationId}`;
}
