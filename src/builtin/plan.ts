import type { Intent } from '../schema/domain.ts';
import type { JsonObject } from '../schema/json.ts';
import type { CallRecord, Outcome } from './conversation.ts';

export interface PlannedCall {
  name: string;
  arguments: JsonObject;
}

/** The end of a plan. `pending` is the question that the next message may answer. */
export interface PlanReply<Pending = unknown> {
  text: string;
  intents: Intent[];
  pending?: Pending | undefined;
  /** Data that comes back with our own message in the next turn. */
  data?: JsonObject;
}

/**
 * A turn as a program: it yields the next calls, all of one reply, and receives their outcomes. It must be a pure
 * function of its inputs, because every model call replays it from the start.
 */
export type Plan<Pending = unknown> = Generator<PlannedCall[], PlanReply<Pending>, Outcome[]>;

export type Step<Pending = unknown> =
  | { type: 'calls'; calls: PlannedCall[]; index: number }
  | { type: 'reply'; reply: PlanReply<Pending> }
  /** The recorded calls differ from the planned ones: another model began this turn. */
  | { type: 'foreign' };

/** Replays a plan over the calls that were already made and returns the next step. */
export function playPlan<Pending>(plan: Plan<Pending>, records: readonly CallRecord[]): Step<Pending> {
  let used = 0;
  let next = plan.next();
  while (!next.done) {
    const calls = next.value;
    if (used === records.length) return { type: 'calls', calls, index: used };
    const made = records.slice(used, used + calls.length);
    if (made.length < calls.length || made.some((record, index) => record.name !== calls[index]?.name)) {
      return { type: 'foreign' };
    }
    used += calls.length;
    next = plan.next(made.map((record) => record.outcome));
  }
  return used === records.length ? { type: 'reply', reply: next.value } : { type: 'foreign' };
}
