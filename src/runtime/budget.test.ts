import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ALICE, BOB, buildAgent } from '../../test/build.ts';
import { makeRequest } from '../../test/fakes/model-request.ts';
import { temporaryFolder } from '../../test/runtime.ts';
import type { TurnBudget } from '../agent/running-turn.ts';
import { createFakeClock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { User } from '../schema/user.ts';
import { createSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { createBudget } from './budget.ts';

const USERS = [ALICE, BOB] as const;
/** A thousand output tokens cost a cent, the prompt nothing. */
const TOKEN_USD = 0.00001;
const price = { in: 0, out: 10 };
/** `limits.reply_chars` of an agent that sets no `max_tokens`, at four characters a token. */
const LONGEST_REPLY = 64_000;

interface Call {
  settle: Awaited<ReturnType<TurnBudget['reserve']>>;
  tokens: number;
}

interface Turn {
  user: User;
  budget: TurnBudget;
  call?: Call | undefined;
  /** Output tokens that the provider has written for this turn. */
  written: number;
}

interface Limits {
  per_turn?: number | undefined;
  per_user_day?: number | undefined;
  per_day?: number | undefined;
}

/** `hang-up` ends a call without usage, as a cancel does; `next-turn` does so too, and begins another turn. */
type Step =
  | { type: 'begin' | 'finish' | 'hang-up' | 'next-turn'; turn: number }
  | { type: 'stream'; turn: number; tokens: number };

const TURNS = 6;
const turn = fc.nat(TURNS - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constant('begin' as const), turn }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('stream' as const),
      turn,
      tokens: fc.constantFrom(10, 1_900, 20_000, LONGEST_REPLY),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constantFrom('finish' as const, 'hang-up' as const, 'next-turn' as const), turn }),
  },
);
/** Long enough that several calls run at the same time. */
const steps = fc.array(step, { maxLength: 40, size: 'max' });
const dollars = fc.option(fc.constantFrom(0.03, 0.1, 0.7, 2), { nil: undefined });
const limits = fc.record({ per_turn: dollars, per_user_day: dollars, per_day: dollars });

let worlds = 0;

/** Turns of two users that share an agent's budget, and a provider that bills what it writes. */
function openWorld(store: Store, budget: Limits, maxTokens?: number) {
  const clock = createFakeClock();
  const model = { price, ...(maxTokens !== undefined && { max_tokens: maxTokens }) };
  const agent = buildAgent({ name: `agent${worlds++}`, model, budget });
  const longest = maxTokens ?? LONGEST_REPLY;
  const day = '2026-01-01';
  const billed = new Map<User, number>(USERS.map((user) => [user, 0]));
  const newTurn = (index: number): Turn => {
    const user = USERS[index % 2] ?? ALICE;
    const made = createBudget({ agent, user, clock, store, spent: 0 });
    if (!made) throw new Error('no limit');
    return { user, budget: made, written: 0 };
  };
  const turns = Array.from({ length: TURNS }, (_, index) => newTurn(index));
  return {
    turns,
    longest,
    billed: (user: User) => (billed.get(user) ?? 0) * TOKEN_USD,
    counted: async (user: User) => (await store.readCost(user, { agent: agent.name, day })).user / 1e6,
    async run(next: Step): Promise<void> {
      const running = turns[next.turn];
      if (!running) return;
      const { call } = running;
      if (next.type === 'begin' && !call) running.call = await begin(running.budget);
      if (next.type === 'stream' && call) {
        const tokens = Math.min(next.tokens, longest - call.tokens);
        call.tokens += tokens;
        running.written += tokens;
        billed.set(running.user, (billed.get(running.user) ?? 0) + tokens);
      }
      if (next.type === 'begin' || next.type === 'stream') return;
      const costUsd = next.type === 'finish' && call ? call.tokens * TOKEN_USD : undefined;
      await call?.settle({ costUsd, outputTokens: call.tokens });
      running.call = undefined;
      if (next.type === 'next-turn') turns[next.turn] = newTurn(next.turn);
    },
  };
}

async function begin(budget: TurnBudget): Promise<Call | undefined> {
  try {
    return { settle: await budget.reserve(makeRequest()), tokens: 0 };
  } catch (error) {
    if (error instanceof AppError && error.code === 'budget_reached') return undefined;
    throw error;
  }
}

function openStore(): Store {
  const store = createSqliteStore({ folder: temporaryFolder() });
  onTestFinished(() => store.close());
  return store;
}

const hasLimit = (budget: Limits) => Object.values(budget).some((limit) => limit !== undefined);

describe('every order of calls, hang-ups and turns at the same time', () => {
  it('exceeds no limit by more than one reply', { timeout: 60_000 }, async () => {
    const store = openStore();
    const maxTokens = fc.constantFrom(undefined, undefined, 5_000);
    await fc.assert(
      fc.asyncProperty(limits.filter(hasLimit), maxTokens, steps, async (budget, max, order) => {
        const world = openWorld(store, budget, max);
        const reply = world.longest * TOKEN_USD + 1e-9;
        for (const next of order) {
          await world.run(next);
          const spent = USERS.map(world.billed);
          expect(Math.max(...spent)).toBeLessThanOrEqual((budget.per_user_day ?? Number.POSITIVE_INFINITY) + reply);
          expect((spent[0] ?? 0) + (spent[1] ?? 0)).toBeLessThanOrEqual(
            (budget.per_day ?? Number.POSITIVE_INFINITY) + reply,
          );
          for (const { written } of world.turns)
            expect(written * TOKEN_USD).toBeLessThanOrEqual((budget.per_turn ?? Number.POSITIVE_INFINITY) + reply);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('counts at least what was billed once all calls have ended, and exactly that without hang-ups', {
    timeout: 60_000,
  }, async () => {
    const store = openStore();
    await fc.assert(
      fc.asyncProperty(steps, async (order) => {
        const world = openWorld(store, { per_day: 5 });
        for (const next of order) await world.run(next);
        const isCut = order.some(({ type }) => type === 'hang-up' || type === 'next-turn');
        for (let index = 0; index < TURNS; index++) await world.run({ type: 'finish', turn: index });
        for (const user of USERS) {
          expect(await world.counted(user)).toBeGreaterThanOrEqual(world.billed(user) - 1e-9);
          if (!isCut) expect(await world.counted(user)).toBeCloseTo(world.billed(user), 4);
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe('a call that was cut off', () => {
  const cutAfter = async (seconds: number, tokens: number, maxTokens?: number) => {
    const store = openStore();
    const clock = createFakeClock();
    const model = { price, ...(maxTokens !== undefined && { max_tokens: maxTokens }) };
    const agent = buildAgent({ model, budget: { per_day: 100 } });
    const settle = await createBudget({ agent, user: ALICE, clock, store, spent: 0 })?.reserve(makeRequest());
    await clock.advance(seconds * 1_000);
    await settle?.({ costUsd: undefined, outputTokens: tokens });
    return (await store.readCost(ALICE, { agent: agent.name, day: '2026-01-01' })).all / 10;
  };

  it('counts its output and a usual reply, up to the longest one and never less than its output', async () => {
    expect(await cutAfter(0, 3)).toBe(2_003);
    expect(await cutAfter(0, 30_000)).toBe(32_000);
    expect(await cutAfter(0, 63_000)).toBe(64_000);
    expect(await cutAfter(0, 65_000)).toBe(65_000);
  });

  it('counts silent reasoning by its time, up to the longest reply', async () => {
    expect(await cutAfter(30, 0)).toBe(6_000);
    expect(await cutAfter(900, 0)).toBe(LONGEST_REPLY);
  });

  it('counts max_tokens where that is less', async () => {
    expect(await cutAfter(30, 0, 1_000)).toBe(1_000);
  });
});
