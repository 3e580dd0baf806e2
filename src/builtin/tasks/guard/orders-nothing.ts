import type { MessageLabel } from '../../reader/labels.ts';
import type { Command, TaskContext } from '../task-context.ts';

/** The chance of its own label below which a grave change is not even proposed, and that of the labels that order nothing. */
const LEAST_HEARD = 0.15;
const MOST_IDLE = 0.6;
const IDLE: readonly MessageLabel[] = ['chat', 'other', 'show', 'help', 'cancel', 'no'];

/**
 * True if the learned reader is sure that nothing of the kind was said: "milk is expensive" is no report that it was bought.
 * A question would only invite a careless yes.
 */
export function ordersNothing({ action, slots, isSettled }: Command, { heard }: TaskContext): boolean {
  const label = labelOf(action, slots.title !== undefined);
  if (isSettled || heard === undefined || label === undefined) return false;
  const idle = Math.max(...IDLE.filter((name) => name !== label).map((name) => heard[name]));
  return heard[label] < LEAST_HEARD && idle >= MOST_IDLE;
}

function labelOf(action: Command['action'], isRename: boolean): MessageLabel | undefined {
  if (action === 'complete') return 'done';
  if (action === 'delete') return 'del';
  if (action === 'undo') return 'undo';
  return action === 'update' && isRename ? 'ren' : undefined;
}
