import type { MessageLabel } from '../../reader/labels.ts';
import { offerChoices } from '../plan/offer-readings.ts';
import { isPronoun } from '../resolve-reference.ts';
import { findMentions } from '../talk/mentions.ts';
import { peel } from '../talk/peel.ts';
import type { Command } from '../task-context.ts';
import type { TaskMemory } from '../task-memory.ts';
import { type GrammarReading, guessed, isGrave, isQuestion } from './command-traits.ts';
import type { MarkedReading } from './read-by-marks.ts';

/** The chance of a label without marked words from which something is taken back. */
const BACK = 0.8;
/** The chance of small talk from which the grammar is doubted. */
const VETO = 0.9;
/** The chance of its own label that a grave change needs. */
const LEAST = 0.2;
/** Labels that ask for nothing. */
const IDLE: ReadonlySet<MessageLabel> = new Set(['chat', 'other', 'unclear', 'yes', 'no', 'pick', 'cancel']);

interface Labelled {
  text: string;
  grammar: GrammarReading;
  learned: MarkedReading;
  memory: TaskMemory;
}

/** The learned reading marks no words: its label may doubt the grammar, or say what is taken back. */
export function settleLabel({ text, grammar, learned, memory }: Labelled): GrammarReading {
  const { label, labels } = learned;
  const take = (command: Command): GrammarReading => ({ kind: 'commands', commands: [command], isSure: true });
  if (grammar.kind !== 'commands') {
    if (isQuestion(text) || memory.changes.length === 0) return grammar;
    // After an undo the same step would be done again.
    if (label === 'undo' && labels.undo >= BACK && !memory.isTakenBack)
      return take({ action: 'undo', confidence: 0.8, slots: {} });
    const [change, another] = memory.changes;
    const isReopened = label === 'reopen' && labels.reopen >= BACK && change?.action === 'complete';
    if (isReopened && !another && memory.isJustChanged)
      return take({
        action: 'update',
        confidence: 0.8,
        slots: { ref: change.task.title, is_completed: false },
        targets: [change.task],
      });
    return grammar;
  }
  const reopened = reopenNamed(text, grammar.commands, memory);
  if (reopened) return take(reopened);
  if (labels[label] < VETO) return grammar;
  // "no wait, 15 Uhr" is no new name: a grave change that the label speaks against is confirmed.
  if (grammar.commands.some((command) => isGrave(command) && labels[labelOf(command)] < LEAST))
    return { ...grammar, commands: grammar.commands.map(guessed) };
  if (!IDLE.has(label)) return grammar;
  const isAnnounced = peel(text).asking === 'add';
  const { commands } = grammar;
  if (commands.every(({ action, isQuoted, missing }) => action === 'create' && !isQuoted && missing === undefined))
    return isAnnounced ? grammar : { kind: 'offer', reply: offerChoices([commands], { confidence: 0.5 }) };
  return grammar;
}

/** The label of a grave change. */
function labelOf({ action }: Command): MessageLabel {
  return action === 'complete' ? 'done' : action === 'delete' ? 'del' : 'ren';
}

/** "the pharmacy was shut, put that one back": tasks that were just marked as done are open again. */
function reopenNamed(text: string, [only, another]: readonly Command[], { changes }: TaskMemory): Command | undefined {
  const isBack = only?.action === 'restore' && !another && isPronoun(only.slots.ref ?? 'it');
  if (!isBack || changes.length === 0 || changes.some(({ action }) => action !== 'complete')) return undefined;
  const tasks = changes.map(({ task }) => task);
  const named = findMentions(text, tasks);
  const [task, more] = named.kind === 'one' ? [named.task] : tasks;
  if (!task || more) return undefined;
  return { action: 'update', confidence: 0.8, slots: { ref: task.title, is_completed: false }, targets: [task] };
}
