import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { foldEvents } from '../../src/agent/turn-state.ts';
import type { Event } from '../../src/schema/conversation/event.ts';
import { createPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { ALICE } from '../build.ts';
import { pick } from '../long.ts';
import { databaseOfFile } from '../postgres/database.ts';
import { temporaryFolder } from '../runtime.ts';

const FIXTURE = join(import.meta.dirname, '..', 'fixtures', 'killed-team.ts');
/** More starts than a message can need: each one gets further, or it is stuck. */
const MAX_STARTS = 200;

/** Random numbers that a seed repeats. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The way in which the team works on its message. */
type Plan = 'delegation' | 'hand-over' | 'then';
type Kind = 'SQLite' | 'PostgreSQL';

const SEED = 20_261_118;
const database = databaseOfFile();

interface Round {
  plan: Plan;
  kind: Kind;
  folder: string;
}

/** Starts the program until it comes to the end; returns the number of kills. */
async function runUntilDone({ plan, kind, folder }: Round, random: () => number): Promise<number> {
  const url = kind === 'PostgreSQL' ? [database.url] : [];
  for (let kills = 0; kills < MAX_STARTS; kills++) {
    const at = String(1 + Math.floor(random() * 14));
    const when = random() < 0.5 ? 'after' : 'before';
    const { stdout, signal, stderr } = spawnSync(process.execPath, [FIXTURE, folder, plan, at, when, ...url], {
      encoding: 'utf8',
    });
    if (signal !== 'SIGKILL') {
      expect({ stdout, stderr }).toEqual({ stdout: expect.stringMatching(/^completed \d+\n$/), stderr: '' });
      return kills;
    }
    // No run waits for the lease of the dead process to end.
    if (kind === 'PostgreSQL') await database.run('DELETE FROM runners');
  }
  throw new Error('the turn is stuck');
}

async function checkTree({ plan, kind, folder }: Round): Promise<void> {
  const effects = readFileSync(join(folder, 'effects'), 'utf8').trim().split('\n');
  expect(effects.toSorted(), 'an effect was doubled').toEqual([...new Set(effects)].toSorted());
  const store = kind === 'SQLite' ? createSqliteStore({ folder }) : await createPostgresStore({ url: database.url });
  const [lead] = await store.listConversations(ALICE, { limit: 9 });
  const turns = [await store.readNewestTurn(ALICE, lead?.id ?? '')];
  const known = new Map<string, string>();
  for (const turn of turns) {
    expect(turn?.status).toBe('completed');
    const { calls } = foldEvents(await store.readEvents(ALICE, turn?.id ?? ''));
    for (const call of calls) {
      const id = `${call.name} ${turn?.conversation_id} ${call.id}`;
      if (!/^(delegate|hand|check)_/.test(call.name)) known.set(id, call.state);
      else expect(call.state, id).toBe('completed');
      if (call.delegation) turns.push(await store.readTurn(ALICE, call.delegation.turn_id));
    }
  }
  const events = await store.readEvents(ALICE, turns[0]?.id ?? '');
  await store.close();
  const members = plan === 'hand-over' ? ['lead/desk/till'] : ['lead/clerk', 'lead/desk', 'lead/desk/till'];
  expect(turns.map((turn) => turn?.agent).sort()).toEqual(['lead', ...members]);
  if (plan === 'hand-over') checkSpeakers(events);
  if (plan === 'then') expect(foldEvents(events).result?.content).toBe('All is done.');
  // Each call ran once and is known, or it was cut off: then the journal says so.
  expect(known.size).toBe(5);
  expect(
    effects.filter((effect) => !known.has(effect)),
    'lost',
  ).toEqual([]);
  for (const [id, state] of known) if (!effects.includes(id)) expect(state, id).toBe('unknown');
}

/** Every reply is of the agent that has the conversation at that place of the journal. */
function checkSpeakers(events: readonly Event[]): void {
  let speaker = 'lead';
  for (const event of events) {
    if (event.type === 'hand-over') speaker = event.to;
    if (event.type === 'step-start') expect(event.agent).toBe(speaker);
  }
  expect(foldEvents(events)).toMatchObject({ handedOverTo: ['desk', 'lead'], result: { agent: 'lead' } });
}

/** TEAM_KILLS=100 makes 600 kills over all plans and stores in about 25 minutes. docs/torture.md has its numbers. */
const KILLS = Number(process.env.TEAM_KILLS ?? pick(3, 30));

describe.each<Kind>(['SQLite', 'PostgreSQL'])('a team on %s', (kind) => {
  it.each<Plan>(['delegation', 'hand-over', 'then'])(
    `loses, doubles and blocks nothing of a %s in ${KILLS} kills`,
    { timeout: 3_600_000 },
    async (plan) => {
      const random = seeded(SEED);
      const count = { turns: 0, kills: 0 };
      while (count.kills < KILLS) {
        const round = { plan, kind, folder: temporaryFolder() };
        count.kills += await runUntilDone(round, random);
        await checkTree(round);
        if (kind === 'PostgreSQL') await database.empty();
        count.turns++;
      }
      console.log(`${plan} on ${kind}: ${count.kills} kills in ${count.turns} turns, seed ${SEED}`);
    },
  );
});
