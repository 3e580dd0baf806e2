import type { CallAnswer, Event } from '../schema/conversation/event.ts';
import type { TurnStatus } from '../schema/conversation/turn.ts';
import type { JsonObject } from '../schema/json.ts';
import type { User } from '../schema/user.ts';

/** A note between servers. Notes may be lost, doubled or late; nothing may depend on their arrival. */
export type Note =
  /** A server asks the runner of a turn for its events after a position. Repeated while someone reads. */
  | { kind: 'watch'; user: string; turn: string; after?: string; to: string }
  | { kind: 'unwatch'; turn: string; to: string }
  /** Events of a watched turn, in order. */
  | { kind: 'events'; turn: string; events: readonly Event[] }
  /** The next event of a watched turn is too long for a note and is in the store. */
  | { kind: 'wake'; turn: string }
  /** A request for a running turn is in the store. */
  | { kind: 'poke'; turn: string }
  /** A turn of this conversation began. */
  | { kind: 'began'; conversation: string };

/** A best-effort channel between the servers of one store. */
export interface Bus {
  /** The address of this server. */
  readonly address: string;
  /** Whether notes arrived lately. If not, readers poll the store. */
  readonly isLive: boolean;
  /** Sends a note to one server, or to all other servers. Never waits, never throws. */
  publish(note: Note, to?: string): void;
  /** Calls back for each note from another server. */
  subscribe(callback: (note: Note) => void): () => void;
}

/** A stored turn. A conversation is a tree of turns; the path to its head is shown and sent to the model. */
export interface StoredTurn {
  id: string;
  conversation_id: string;
  agent: string;
  status: TurnStatus;
  /** 0 = messages that were given when the thread was created: no attempt was made, and there are no events. */
  attempt: number;
  created_at: string;
  /** Absent until the turn has a result. */
  ended_at?: string;
  /** Whether the turn is on the path to the conversation's head. */
  is_active: boolean;
  /** The previous turn; absent for the first one. */
  parent?: string;
  /** The earlier turn for the same message that this turn replaces. */
  replaces?: string;
  idempotency_key?: string;
  request_hash?: string;
}

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
