import type { CallAnswer } from '../schema/conversation/event.ts';
import type { JsonObject } from '../schema/json.ts';
import type { User } from '../schema/user.ts';
import type { Bus } from './bus.ts';
import type { StoredTurn } from './stored-turn.ts';

/** A request for a turn that another process runs. */
export type TurnRequest =
  | { kind: 'cancel' }
  /** Answers to the questions of running calls. */
  | { kind: 'answer'; answers: readonly CallAnswer[]; key?: string };

export type TakenRequest = TurnRequest & { turnId: string };

/** An interrupted turn whose request asked to go on. */
export interface LeftTurn {
  turn: StoredTurn;
  userId: string;
  /** The facts that `BeginTurn.continues` brought. */
  request: JsonObject;
}

/** State of the store for probes; no secret in it. */
export interface StoreState {
  kind: 'sqlite' | 'postgres';
  /** Whether notes between servers arrive; absent if the store has none. */
  bus?: 'live' | 'polling';
}

/** Parts of a store that let several processes or servers share it. */
export interface SharedStore {
  /** Whether servers on several machines can use it. */
  readonly isShared: boolean;
  /** Text is written at most this long after it was emitted; the lost rest is asked for again. */
  readonly segmentMs: number;
  /** Notes between servers; absent if the store has none. */
  readonly bus?: Bus;
  /** Stores a request for this user's running turn; false if it does not run. */
  requestTurn(user: User, turnId: string, request: TurnRequest): Promise<boolean>;
  /** Removes and returns the requests for these turns, oldest first. Each request is returned once. */
  takeRequests(turnIds: readonly string[]): Promise<TakenRequest[]>;
  /**
   * Interrupted turns at the end of their path whose request asked to go on and that were tried fewer than
   * `MAX_ATTEMPTS` times, oldest first.
   */
  listToContinue(limit: number): Promise<LeftTurn[]>;
  /**
   * Calls back when this process was declared dead: other servers may continue its turns. The store then has a new runner
   * id, so later turns can be written. The returned function unsubscribes.
   */
  onLost(callback: () => void): () => void;
  /**
   * Whether the lease certainly lasts long enough to begin a tool that must not run twice. Checked on the monotonic clock,
   * without asking the database.
   */
  mayAct(): boolean;
  describe(): StoreState;
}

/** A turn that ended this many servers is left to a person. */
export const MAX_ATTEMPTS = 3;
