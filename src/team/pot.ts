import type { TurnBudget } from '../agent/running-turn.ts';
import { foldEvents, type TurnState } from '../agent/turn-state.ts';
import type { EventBody } from '../schema/conversation/event.ts';
import type { Delegation } from '../schema/conversation/tool-call.ts';

/** A budget that also pays for the members' turns. */
export interface SharedBudget extends TurnBudget {
  /** Counts a cost from before this attempt. */
  add(costUsd: number): void;
}

/** The limits that all turns of a tree share: the root's turn, and those of members below it. */
export interface Pot {
  /** 0 = the root. */
  depth: number;
  limits: { delegations: number; depth: number };
  /** Shared by the whole tree. */
  used: { delegations: number };
  /** The budgets of the turns above and of this one. */
  budgets: readonly SharedBudget[];
  /** The longest active time of this attempt; absent for the root, which has its own. */
  limitMs?: number;
}

interface Own extends Pick<Pot, 'limits'> {
  /** The state of the turn as its attempt begins. */
  state: TurnState;
  budget: SharedBudget | undefined;
}

/** The pot of an attempt. What earlier attempts used is in the journal, so a continued tree has the same limits. */
export function openPot(above: Pot | undefined, { state, limits, budget }: Own): Pot {
  const pot = above ?? { depth: 0, limits, used: { delegations: 0 }, budgets: [] };
  pot.used.delegations += countBegun(state);
  // The turns above have a member's usage in their journals only once its call has ended.
  for (const shared of pot.budgets) shared.add(state.usage?.cost_usd ?? 0);
  return { ...pot, budgets: [...pot.budgets, ...(budget ? [budget] : [])] };
}

function countBegun({ calls }: TurnState): number {
  // The members that read answers are named in the file: no model can call them too often.
  const begun = calls.filter((call) => !call.reads_answer && (call.delegation || call.state === 'running'));
  return begun.reduce((sum, { delegation }) => sum + 1 + (delegation?.delegations ?? 0), 0);
}

/** Delegations of a turn and of those below it. */
export function countAll(delegations: readonly Delegation[] = []): number {
  return delegations.reduce((sum, one) => sum + 1 + (one.delegations ?? 0), 0);
}

/** Takes one delegation out of the pot; returns the reason if none is left. */
export function takeDelegation(pot: Pot): string | undefined {
  if (pot.depth >= pot.limits.depth)
    return `Members of this team delegate at most ${pot.limits.depth} levels deep. Do the task yourself.`;
  if (pot.used.delegations >= pot.limits.delegations)
    return `One message may use ${pot.limits.delegations} delegations, and they are used up. Answer with what is there.`;
  pot.used.delegations++;
  return undefined;
}

/** The cost of an agent's parts of a turn, with that of the members that worked for it. */
export function costOfSpeaker(events: readonly EventBody[], name: string): number {
  let speaker: string | undefined;
  const own = events.filter((event) => {
    if (event.type === 'step-start') speaker = event.agent;
    return speaker === name;
  });
  return foldEvents(own).usage?.cost_usd ?? 0;
}

/** Every budget must allow a call: the member's own, and those of the turns above. */
export function chainBudgets(budgets: readonly TurnBudget[]): TurnBudget | undefined {
  if (budgets.length <= 1) return budgets[0];
  return {
    async reserve(request) {
      const settles: Awaited<ReturnType<TurnBudget['reserve']>>[] = [];
      try {
        for (const budget of budgets) settles.push(await budget.reserve(request));
      } catch (error) {
        for (const settle of settles) await settle({ costUsd: 0, outputTokens: 0 });
        throw error;
      }
      return async (outcome) => {
        for (const settle of settles) await settle(outcome);
      };
    },
  };
}
