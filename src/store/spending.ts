import type { User } from '../schema/user.ts';

/** A day's costs of one agent. Amounts are millionths of a dollar, so that sums are exact. */
export interface SpendingDay {
  agent: string;
  /** A day in UTC, such as 2026-01-31. */
  day: string;
}

export interface Reservation extends SpendingDay {
  micros: number;
  /** Limits of this user's costs and of all costs of the day. */
  caps: { user?: number; all?: number };
}

/** Counts the costs of model calls, over all processes and servers that share the store. */
export interface SpendingStore {
  /** Counts an estimate before the call, unless it would exceed a limit: then nothing is counted, and the limit is named. */
  reserveCost(user: User, reservation: Reservation): Promise<'reserved' | 'user' | 'all'>;
  /** Adds the difference between the real cost and the estimate; it may be negative. */
  settleCost(user: User, difference: SpendingDay & { micros: number }): Promise<void>;
  /** The costs of the day so far, reservations included. */
  readCost(user: User, of: SpendingDay): Promise<{ user: number; all: number }>;
}
