import { COSTS, type CostRow, toCost } from '../../read/values.ts';
import type { Reservation, SpendingDay } from '../../spending.ts';
import type { Sql } from '../sql.ts';

type OfUser = SpendingDay & { userId: string };

const ADD = `INSERT INTO spending (agent, day, user_id, micros) VALUES (?, ?, ?, ?)
  ON CONFLICT (agent, day, user_id) DO UPDATE SET micros = micros + excluded.micros`;

export function reserveCost(sql: Sql, input: Reservation & { userId: string }): 'reserved' | 'user' | 'all' {
  const { agent, day, userId, micros, caps } = input;
  const spent = toCost(sql.all<CostRow>(COSTS, agent, day, userId), userId);
  if (caps.all !== undefined && spent.all + micros > caps.all) return 'all';
  if (caps.user !== undefined && spent.user + micros > caps.user) return 'user';
  settleCost(sql, input);
  return 'reserved';
}

export function settleCost(sql: Sql, { agent, day, userId, micros }: OfUser & { micros: number }): undefined {
  for (const owner of ['', userId]) sql.run(ADD, agent, day, owner, micros);
}
