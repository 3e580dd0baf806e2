import type { Clock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import type { User } from '../../schema/user.ts';
import { type Admission, createShare } from './admission.ts';
import { type LiveTurn, type LiveTurnOptions, startLiveTurn } from './live-turn.ts';

/** All turns that run in this process: admission, viewers, cancellation and shutdown, shared by every front. */
export interface Turns extends Admission, Starting {
  /**
   * Reserves a place while a turn begins; throws `over_capacity` or `shutting_down`. Called before anything is written.
   * A user's detached turns and turns that ask a question count against that user's share.
   */
  take: Admission['take'];
  /** Runs the turn; the caller holds its lease. */
  start(user: User, options: LiveTurnOptions): LiveTurn;
  findByConversation(user: User, conversationId: string): LiveTurn | undefined;
  findByTurn(user: User, turnId: string): LiveTurn | undefined;
  /** Calls back when a turn of this conversation begins; the returned function unsubscribes. */
  onStart(user: User, conversationId: string, callback: () => void): () => void;
  /** Calls back when any turn begins in this process. */
  onAnyStart(callback: (turn: LiveTurn) => void): () => void;
  /** The turn of a user by their ids, for a request from another server. */
  findOf(userId: string, turnId: string): LiveTurn | undefined;
  list(): LiveTurn[];
  /** Whether another turn of some user could start. */
  hasRoom(): boolean;
  /** Leaves every turn to another attempt, because this process must not continue it. */
  interruptAll(): void;
  readonly active: number;
  /** Resolves when the turns that are running now have ended. */
  settled(): Promise<void>;
  /**
   * Accepts no new turn, lets running turns finish for `graceMs`, then interrupts the rest and waits for their end. A
   * turn that only waits for an answer is interrupted at once.
   */
  stop(graceMs: number): Promise<void>;
}

/** Turns of one user that may wait for an answer at once; each keeps a tool's connection open. */
const MAX_ASKING = 3;

interface Entry {
  userId: string;
  turn: LiveTurn;
  isMember: boolean;
}

export interface TurnsOptions {
  /** Limit for all users together; turns that wait for an answer do not count. */
  maxActive: number;
  /** Limit per user; undefined = no limit. */
  maxPerUser?: number | undefined;
  clock: Clock;
}

export function createTurns({ maxActive, maxPerUser, clock }: TurnsOptions): Turns {
  const share = createShare({ perUser: maxPerUser, what: 'turns are running' });
  const entries = new Map<string, Entry>();
  const starts = createWatchers();
  const anyStarts = createCallbacks();
  let admitted = 0;
  let isStopping = false;
  let allStarted = Promise.withResolvers<void>();
  const find = (user: User, matches: (turn: LiveTurn) => boolean) =>
    [...entries.values()].find((entry) => entry.userId === user.id && matches(entry.turn))?.turn;
  /** A turn of a member needs no place of its own: a tree of turns is one turn. */
  const placed = () => [...entries.values()].filter(({ isMember }) => !isMember);
  const countWorking = () => placed().filter(({ turn }) => !turn.isAsking()).length;

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
      const turn = startLiveTurn({ ...options, refuseQuestion: () => refuseQuestion(placed(), user, options.turnId) });
      const { isMember = false } = options;
      entries.set(turn.turnId, { userId: user.id, turn, isMember });
      const place = isMember ? undefined : share.hold(user);
      const forget = () => {
        entries.delete(turn.turnId);
        place?.release();
      };
      turn.done.then(forget, forget);
      starts.announce(user, turn.conversationId);
      anyStarts.call(turn);
      return turn;
    },
    onStart: starts.watch,
    onAnyStart: anyStarts.watch,
    ...createLookUp(entries),
    hasRoom: () => !isStopping && admitted + countWorking() < maxActive,
    findByConversation: (user, conversationId) => find(user, (turn) => turn.conversationId === conversationId),
    get active() {
      return placed().length;
    },
    async settled() {
      await Promise.allSettled([...entries.values()].map((entry) => entry.turn.done));
    },
    async stop(graceMs) {
      isStopping = true;
      // Requests admitted earlier have begun to write; wait for the turns that they start.
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

function refuseQuestion(entries: readonly Entry[], user: User, turnId: string): string | undefined {
  const others = entries.filter((entry) => entry.userId === user.id && entry.turn.turnId !== turnId);
  if (others.filter(({ turn }) => turn.isAsking()).length < MAX_ASKING) return undefined;
  return `A question was declined because ${MAX_ASKING} of your other turns wait for an answer. Answer or cancel one of them.`;
}

type LookUp = Pick<Turns, 'findByTurn' | 'findOf' | 'list' | 'interruptAll'> & Starting;

/** Turns by id, and all of them. */
function createLookUp(entries: ReadonlyMap<string, Entry>): LookUp {
  const findOf: Turns['findOf'] = (userId, turnId) => {
    const entry = entries.get(turnId);
    return entry?.userId === userId ? entry.turn : undefined;
  };
  return {
    ...createStarting(),
    findOf,
    findByTurn: (user, turnId) => findOf(user.id, turnId),
    list: () => [...entries.values()].map(({ turn }) => turn),
    interruptAll() {
      for (const { turn } of entries.values()) turn.interrupt();
    },
  };
}

function createCallbacks() {
  const callbacks = new Set<(turn: LiveTurn) => void>();
  return {
    watch(callback: (turn: LiveTurn) => void): () => void {
      callbacks.add(callback);
      return () => callbacks.delete(callback);
    },
    call(turn: LiveTurn) {
      for (const callback of callbacks) callback(turn);
    },
  };
}

function stopping(): AppError {
  return new AppError('shutting_down', {
    detail: 'The server is stopping. Try again in a moment.',
    retryAfterSeconds: 1,
  });
}

/** Callbacks by conversation, for readers that wait for its next turn. */
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

/** Turns that this process begins at this moment: the store may have them already, and they do not run yet. */
interface Starting {
  /** Runs `begin`, which takes a turn in the store and starts it here. */
  starting<T>(turnId: string, begin: () => Promise<T>): Promise<T>;
  isStarting(turnId: string): boolean;
  /** Resolves when the turn, if it begins here at this moment, runs or has failed to. */
  whenStarted(turnId: string): Promise<void>;
}

function createStarting(): Starting {
  const begins = new Map<string, Set<Promise<unknown>>>();
  return {
    async starting(turnId, begin) {
      const own = begins.get(turnId) ?? new Set();
      begins.set(turnId, own);
      const begun = begin();
      own.add(begun);
      try {
        return await begun;
      } finally {
        own.delete(begun);
        if (own.size === 0) begins.delete(turnId);
      }
    },
    isStarting: (turnId) => begins.has(turnId),
    async whenStarted(turnId) {
      await Promise.allSettled(begins.get(turnId) ?? []);
    },
  };
}
