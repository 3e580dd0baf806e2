import type { Zone } from '../../language/zoned-time.ts';
import { isObject, type Json } from '../../schema/json.ts';
import { describeDue } from '../reply.ts';
import { readTask, type TaskChange } from './known-task.ts';

/** Effects of an undo on a task, each with the action of the same effect. */
const EFFECTS = {
  removed: 'delete',
  brought_back: 'create',
  reopened: 'update',
  completed: 'complete',
  changed: 'update',
} as const satisfies Record<string, TaskChange['action']>;

/** The changes in the result of `undo_change`. */
export function readUndone(result: Json): TaskChange[] {
  return restoredOf(result).map(({ effect, ...change }) => ({ ...change, action: EFFECTS[effect] }));
}

type Restored = Omit<TaskChange, 'action'> & { effect: keyof typeof EFFECTS };

function restoredOf(result: Json): Restored[] {
  const items = isObject(result) && Array.isArray(result.restored) ? result.restored : [];
  return items.flatMap((item) => {
    if (!isObject(item) || !isEffect(item.change)) return [];
    const task = readTask(item.task ?? null);
    const before = readTask(item.was ?? null);
    return task ? [{ effect: item.change, task, ...(before && { before }) }] : [];
  });
}

function isEffect(value: unknown): value is keyof typeof EFFECTS {
  return typeof value === 'string' && Object.hasOwn(EFFECTS, value);
}

const SENTENCES: Readonly<Record<keyof typeof EFFECTS, (tasks: string) => string>> = {
  removed: (tasks) => `I've removed ${tasks} again.`,
  brought_back: (tasks) => `I've brought back ${tasks}.`,
  reopened: (tasks) => `I've reopened ${tasks}.`,
  completed: (tasks) => `I've marked ${tasks} as done again.`,
  changed: (tasks) => `I've changed it back to ${tasks}.`,
};

/** The effect of `undo_change` in one or a few sentences, with the dates that tasks have again. */
export function describeRestored(result: Json, zone: Zone): string {
  const restored = restoredOf(result);
  const sentences = (Object.keys(SENTENCES) as (keyof typeof EFFECTS)[]).flatMap((effect) => {
    const named = restored.filter((item) => item.effect === effect).map((item) => describe(item, zone));
    return named.length === 0 ? [] : [SENTENCES[effect](listed(named))];
  });
  return sentences.length === 0 ? 'There was nothing to undo.' : sentences.join(' ');
}

/** A removed task has no date any more; one that is back where it was names the date that it has now. */
function describe({ effect, task, before }: Restored, zone: Zone): string {
  const isMoved = effect === 'brought_back' || (effect === 'changed' && before?.due_date !== task.due_date);
  if (!isMoved || (task.due_date === undefined && effect === 'brought_back')) return `'${task.title}'`;
  return task.due_date === undefined
    ? `'${task.title}' (no due date)`
    : `'${task.title}' (due ${describeDue(task.due_date, zone)})`;
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
