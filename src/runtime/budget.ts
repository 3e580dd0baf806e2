import { estimateTokens } from '../agent/fit-messages.ts';
import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { ModelRequest } from '../models/model.ts';
import type { Agent } from '../schema/agent.ts';
import { CHARS_PER_TOKEN, PICTURE_TOKENS } from '../schema/conversation/token-usage.ts';
import { modelLimits } from '../schema/model-limits.ts';
import { costOf, findPrice, formatCost, type Price } from '../schema/price.ts';
import type { User } from '../schema/user.ts';
import type { Store } from '../store/store.ts';
import type { SharedBudget } from '../team/pot.ts';

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
 * The limits of a turn's costs; undefined if the agent has none. A call is made if its usual cost fits. Until its end
 * its largest cost is counted, so that calls at the same time exceed a limit by one reply at most. A process that dies
 * in between leaves that count. A call that is tried again counts once.
 */
export function createBudget(options: BudgetOptions): SharedBudget | undefined {
  const { agent, user, clock, store, log } = options;
  const { per_turn, per_user_day, per_day } = agent.budget;
  const costsOf = createCallCosts(agent);
  if (!costsOf || [per_turn, per_user_day, per_day].every((limit) => limit === undefined)) return undefined;
  const limits = { user: per_user_day, all: per_day };
  const isCounted = (per_user_day ?? per_day) !== undefined && store !== undefined;
  let spent = options.spent;

  return {
    add(costUsd) {
      spent += costUsd;
    },
    async reserve(request) {
      const { usual, most, cutAfter } = costsOf(request);
      if (per_turn !== undefined && spent + usual > per_turn) throw overTurn(per_turn);
      const startedMs = clock.now();
      const today = { agent: agent.name, day: clock.date().toISOString().slice(0, 10) };
      const micros = toMicros(most);
      const caps = capsFor(limits, micros - toMicros(usual));
      const outcome = isCounted ? await store.reserveCost(user, { ...today, micros, caps }) : 'reserved';
      if (outcome !== 'reserved') throw overDay(outcome, limits[outcome] ?? 0);
      spent += most;
      return async ({ costUsd, outputTokens }) => {
        const cost = costUsd ?? cutAfter({ seconds: (clock.now() - startedMs) / 1000, outputTokens });
        spent += cost - most;
        const difference = toMicros(cost) - micros;
        if (!isCounted || difference === 0) return;
        await store.settleCost(user, { ...today, micros: difference }).catch((error: unknown) => {
          log?.('a cost could not be corrected; its estimate stays counted', { error });
        });
      };
    },
  };
}

/** The store compares the largest cost of a call with a limit, and the usual one has to fit: limits are raised by the difference. */
function capsFor(limits: { user: number | undefined; all: number | undefined }, difference: number) {
  const { user, all } = limits;
  return {
    ...(user !== undefined && { user: toMicros(user) + difference }),
    ...(all !== undefined && { all: toMicros(all) + difference }),
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
    `The limit of ${formatCost(limit)} a day for ${whose} is reached, with the answers that are still being written. Please try again when they are finished, or tomorrow (the day ends at midnight UTC).`,
  );
}

function budgetReached(detail: string): AppError {
  return new AppError('budget_reached', { detail });
}

/** The usual length of a reply, unless `model.max_tokens` is less. */
const REPLY_TOKENS = 2_000;
/** More than the models of the price list write: a reply that was reasoned in silence is counted by its time. */
const TOKENS_PER_SECOND = 200;

/** The possible costs of one model call, in dollars. Of several models that may answer, the most expensive counts. */
interface CallCost {
  /** With a reply of the usual length. */
  usual: number;
  /** With the longest reply. */
  most: number;
  /** The cost of a call that was cut off after this time and output; never less than the cost of the output. */
  cutAfter(written: { seconds: number; outputTokens: number }): number;
}

/** Undefined if no model that may answer has a price. The built-in model costs nothing. */
function createCallCosts(agent: Agent): ((request: ModelRequest) => CallCost) | undefined {
  const models = pricedModels(agent);
  if (models.length === 0) return undefined;
  return (request) => {
    const prompt_tokens = promptTokens(request);
    const cost = (tokensOf: (longest: number) => number) =>
      Math.max(
        ...models.map(({ price, longest }) => costOf(price, { prompt_tokens, completion_tokens: tokensOf(longest) })),
      );
    return {
      usual: cost((longest) => Math.min(longest, REPLY_TOKENS)),
      most: cost((longest) => longest),
      cutAfter: ({ seconds, outputTokens }) =>
        cost((longest) => {
          // The provider may have written more than had arrived.
          const written = Math.max(outputTokens + REPLY_TOKENS, Math.ceil(seconds * TOKENS_PER_SECOND));
          return Math.max(outputTokens, Math.min(longest, written));
        }),
    };
  };
}

/** `limits.reply_chars` ends a reply whose length the provider does not limit. */
function pricedModels(agent: Agent): { price: Price; longest: number }[] {
  const { model } = agent;
  const replyTokens = modelLimits(agent).reply_chars / CHARS_PER_TOKEN;
  return [model, ...(model.fallback ? [model.fallback] : [])].flatMap((one) => {
    const price = findPrice(one);
    return price ? [{ price, longest: one.max_tokens ?? replyTokens }] : [];
  });
}

function promptTokens({ system, tools, messages, pictures, responseFormat }: ModelRequest): number {
  const shown = [...(pictures?.values() ?? [])].flat().length;
  const fixed = Math.ceil((system.length + JSON.stringify([tools, responseFormat]).length) / CHARS_PER_TOKEN);
  return fixed + estimateTokens(messages) + shown * PICTURE_TOKENS;
}
