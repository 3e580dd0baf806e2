import type { SpendingStore } from '../spending.ts';
import type { Link } from './link.ts';

/** The function runs in one transaction: of several servers at once, none exceeds a limit. */
export const RESERVE_COST = `
CREATE TABLE spending (
  agent text NOT NULL,
  day text NOT NULL,
  user_id text NOT NULL,
  micros bigint NOT NULL,
  PRIMARY KEY (agent, day, user_id)
);
CREATE FUNCTION reserve_cost(of_agent text, of_day text, of_user text, amount bigint, user_cap bigint, all_cap bigint)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE spent bigint;
BEGIN
  INSERT INTO spending VALUES (of_agent, of_day, '', 0), (of_agent, of_day, of_user, 0) ON CONFLICT DO NOTHING;
  SELECT micros INTO spent FROM spending WHERE agent = of_agent AND day = of_day AND user_id = '' FOR UPDATE;
  IF spent + amount > all_cap THEN RETURN 'all'; END IF;
  SELECT micros INTO spent FROM spending WHERE agent = of_agent AND day = of_day AND user_id = of_user FOR UPDATE;
  IF spent + amount > user_cap THEN RETURN 'user'; END IF;
  UPDATE spending SET micros = micros + amount
    WHERE agent = of_agent AND day = of_day AND user_id IN ('', of_user);
  RETURN 'reserved';
END $$;
`;

const RESERVE = 'SELECT reserve_cost($1, $2, $3, $4, $5, $6) AS outcome';
/** The rows are locked in the order of `reserve_cost`, so that the two never wait for each other. */
const SETTLE = `WITH locked AS (
    SELECT user_id FROM spending WHERE agent = $1 AND day = $2 AND user_id IN ('', $3) ORDER BY user_id FOR UPDATE)
  UPDATE spending s SET micros = s.micros + $4 FROM locked l
    WHERE s.agent = $1 AND s.day = $2 AND s.user_id = l.user_id RETURNING 1`;

type Outcome = Awaited<ReturnType<SpendingStore['reserveCost']>>;

export function spendingTo(link: Link): Pick<SpendingStore, 'reserveCost' | 'settleCost'> {
  return {
    async reserveCost({ id }, { agent, day, micros, caps }) {
      const values = [agent, day, id, micros, caps.user ?? null, caps.all ?? null] as const;
      return (await link.one<{ outcome: Outcome }>(RESERVE, ...values))?.outcome ?? 'reserved';
    },
    async settleCost({ id }, { agent, day, micros }) {
      await link.all(SETTLE, agent, day, id, micros);
    },
  };
}
