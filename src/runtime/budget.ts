import { CHARS_PER_TOKEN, estimateTokens, PICTURE_TOKENS } from '../agent/fit-messages.ts';
import type { TurnBudget } from '../agent/running-turn.ts';
import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { ModelRequest } from '../models/model.ts';
import type { Agent } from '../schema/agent.ts';
import { costOf, findPrice, formatCost, type Price } from '../schema/price.ts';
import type { User } from '../schema/user.ts';
import type { Store } from '../store/store.ts';

/** The expected length of a reply, unless `model.max_tokens` limits it. */
const REPLY_TOKENS = 2_000;
const MICROS = 1_000_000;

export interface BudgetOptions {
  agent: Agent;
  user: User;
  clock: Clock;
  /** Absent for a turn without a store: then only `per_turn` can be counted. */
  store?: Pick<Store, 'reserveCost' | 'settleCost'>;
  /** The cost of the turn's earlier attempts, in dollars. */
  spent: number;
  log?: Log | undefined;
}

/**
 * The limits of a turn's costs; undefined if the agent has none. An estimate is counted before each call and corrected
 * after it. A process that dies in between leaves the estimate. A call that is tried again counts once.
 */
export function createBudget(options: BudgetOptions): TurnBudget | undefined {
  const { agent, user, clock, store, log } = options;
  const { per_turn, per_user_day, per_day } = agent.budget;
  const prices = pricesOf(agent);
  if (prices.length === 0 || [per_turn, per_user_day, per_day].every((limit) => limit === undefined)) return undefined;
  const caps = { ...(per_user_day && { user: toMicros(per_user_day) }), ...(per_day && { all: toMicros(per_day) }) };
  const isCounted = Object.keys(caps).length > 0 && store !== undefined;
  let spent = options.spent;

  return {
    async reserve(request) {
      const estimate = Math.max(...prices.map((price) => estimateCost(price, request, agent.model.max_tokens)));
      if (per_turn !== undefined && spent + estimate > per_turn) throw overTurn(per_turn);
      const today = { agent: agent.name, day: clock.date().toISOString().slice(0, 10) };
      const micros = toMicros(estimate);
      const outcome = isCounted ? await store.reserveCost(user, { ...today, micros, caps }) : 'reserved';
      if (outcome !== 'reserved') throw overDay(outcome, { user: per_user_day, all: per_day }[outcome] ?? 0);
      spent += estimate;
      return async (cost = estimate) => {
        spent += cost - estimate;
        const difference = toMicros(cost) - micros;
        if (!isCounted || difference === 0) return;
        await store.settleCost(user, { ...today, micros: difference }).catch((error: unknown) => {
          log?.('a cost could not be corrected; its estimate stays counted', { error });
        });
      };
    },
  };
}

/** Throws if the agent has a limit of costs and a model whose price is unknown: the limit would protect nobody. */
export function checkPrices(agent: Agent, { hasOwnModel }: { hasOwnModel: boolean }): void {
  const { model, budget } = agent;
  if (Object.values(budget).every((limit) => limit === undefined)) return;
  const models = [model, ...(model.fallback ? [model.fallback] : [])];
  const unpriced = models.find((one) => (one.provider !== 'builtin' || hasOwnModel) && !findPrice(one));
  if (!unpriced) return;
  const name = unpriced.name ?? 'this model';
  throw new AppError('config_invalid', { detail: `budget: the price of ${name} is unknown. Set model.price.` });
}

/** The prices of the models that may answer. The built-in one costs nothing. */
function pricesOf({ model }: Agent): Price[] {
  return [model, ...(model.fallback ? [model.fallback] : [])].flatMap((one) => findPrice(one) ?? []);
}

function estimateCost(price: Price, request: ModelRequest, maxTokens = REPLY_TOKENS): number {
  const { system, tools, messages, pictures, responseFormat } = request;
  const shown = [...(pictures?.values() ?? [])].flat().length;
  const fixed = Math.ceil((system.length + JSON.stringify([tools, responseFormat]).length) / CHARS_PER_TOKEN);
  const prompt_tokens = fixed + estimateTokens(messages) + shown * PICTURE_TOKENS;
  return costOf(price, { prompt_tokens, completion_tokens: maxTokens });
}

function toMicros(dollars: number): number {
  return Math.ceil(Math.round(dollars * MICROS * 1_000) / 1_000);
}

function overTurn(limit: number): AppError {
  return budgetReached(
    `One answer may cost at most ${formatCost(limit)}, and the next step would cost more. Ask for a smaller part.`,
  );
}

function overDay(cap: 'user' | 'all', limit: number): AppError {
  const whose = cap === 'user' ? 'your questions' : 'this agent';
  return budgetReached(
    `The limit of ${formatCost(limit)} a day for ${whose} is reached. Please try again tomorrow (the day ends at midnight UTC).`,
  );
}

function budgetReached(detail: string): AppError {
  return new AppError('budget_reached', { detail });
}
