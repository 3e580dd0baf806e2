import type { Store } from '../store.ts';
import type { Query } from './query.ts';

type ValueReads = Pick<Store, 'readSecret' | 'listSecrets' | 'readCost'>;

const SECRET = 'SELECT value FROM secrets WHERE user_id = $1 AND name = $2';
const SECRETS = 'SELECT name FROM secrets WHERE user_id = $1 ORDER BY name';
/** The row without a user holds the sum of all users, so that nothing is added up for a call. */
export const COSTS = "SELECT user_id, micros FROM spending WHERE agent = $1 AND day = $2 AND user_id IN ('', $3)";

export interface CostRow {
  user_id: string;
  micros: number;
}

export function toCost(rows: readonly CostRow[], userId: string): { user: number; all: number } {
  const of = (id: string) => rows.find((row) => row.user_id === id)?.micros ?? 0;
  return { user: of(userId), all: of('') };
}

export function readValuesFrom(query: Query): ValueReads {
  return {
    readSecret: async (user, name) => (await query.one<{ value: string }>(SECRET, user?.id ?? '', name))?.value,
    listSecrets: async (user) => (await query.all<{ name: string }>(SECRETS, user.id)).map(({ name }) => name),
    readCost: async ({ id }, { agent, day }) => toCost(await query.all<CostRow>(COSTS, agent, day, id), id),
  };
}
