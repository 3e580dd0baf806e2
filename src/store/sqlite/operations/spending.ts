import type { Reservation, SpendingDay } from '../../spending.ts';
import type { Sql } from '../sql.ts';

type OfUser = SpendingDay & { userId: string };

const ADD = `INSERT INTO spending (agent, day, user_id, micros) VALUES (?, ?, ?, ?)
  ON CONFLICT (agent, day, user_id) DO UPDATE SET micros = micros + excluded.micros`;

export function reserveCost(sql: Sql, input: Reservation & { userId: string }): 'reserved' | 'user' | 'all' {
  const { micros, caps } = input;
  const spent = readCost(sql, input);
  if (caps.all !== undefined && spent.all + micros > caps.all) return 'all';
  if (caps.user !== undefined && spent.user + micros > caps.user) return 'user';
  settleCost(sql, input);
  return 'reserved';
}

/** The row without a user holds the sum of all users, so that nothing is added up for a call. */
export function settleCost(sql: Sql, { agent, day, userId, micros }: OfUser & { micros: number }): undefined {
  for (const owner of ['', userId]) sql.run(ADD, agent, day, owner, micros);
}

export function readCost(sql: Sql, { agent, day, userId }: OfUser): { user: number; all: number } {
  const rows = sql.all<{ user_id: string; micros: number }>(
    "SELECT user_id, micros FROM spending WHERE agent = ? AND day = ? AND user_id IN ('', ?)",
    agent,
    day,
    userId,
  );
  const of = (id: string) => rows.find((row) => row.user_id === id)?.micros ?? 0;
  return { user: of(userId), all: of('') };
}
