import type { TurnStatus } from '../schema/conversation/turn.ts';

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
