import { cleanText } from '../../../language/clean-text.ts';
import type { PlanReply } from '../../plan.ts';
import type { KnownTask } from '../known-task.ts';
import { trimTrailers } from '../talk/peel.ts';
import type { Command, Pending, TaskContext } from '../task-context.ts';
import type { Understanding } from '../understand.ts';
import { offerChoices, offerReadings } from './offer-readings.ts';
import { isSuspicious } from './read-again.ts';

/** A single new task where the first reading found nothing to do: it may be a remark. */
export function offerGuess(
  commands: readonly Command[],
  understood: Understanding,
  { zone }: TaskContext,
): PlanReply<Pending> | undefined {
  const [only, another] = commands;
  if (understood.kind === 'commands' || !only || another || only.action !== 'create') return undefined;
  const { title = '', when } = only.slots;
  const words = when === undefined ? title : `${title} ${when}`;
  return offerReadings({ words, readings: [], confidence: only.confidence }, zone);
}

/** An errand in place of the one that was just added, or one more. */
export function offerInstead({ task, title }: { task: KnownTask; title: string }): PlanReply<Pending> {
  const confidence = 0.5;
  const rename: Command = { action: 'update', confidence, slots: { ref: task.title, title }, targets: [task] };
  const create: Command = { action: 'create', confidence, slots: { title }, isQuoted: true };
  return offerChoices([[rename], [create]], { confidence });
}

/** A change that only the second reading found is confirmed: it rests on words that may be a remark. */
export function confirmNew(command: Command, understood: Understanding): Command {
  const isChange = command.action === 'complete' || command.action === 'delete' || command.action === 'update';
  const isOrdered =
    understood.kind === 'commands' &&
    understood.commands.some(({ action }) => action === 'update' && command.action === 'update');
  return isChange && !isOrdered ? { ...command, isGuess: true } : command;
}

/** A new task whose title is hardly what was meant is offered, not added. */
export function offerOdd(
  commands: readonly Command[],
  text: string,
  { zone }: TaskContext,
): PlanReply<Pending> | undefined {
  const odd = commands.find((command) => command.action === 'create' && isSuspicious(command, zone));
  if (!odd || commands.some(({ action }) => action !== 'create')) return undefined;
  const words = commands.length === 1 ? trimTrailers(odd.slots.title ?? text) : cleanText(text);
  return offerReadings({ words, readings: [], confidence: odd.confidence }, zone);
}
