import { isObject, type Json } from '../../schema/json.ts';
import { quoteAll } from '../reply.ts';
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

const SENTENCES: Readonly<Record<keyof typeof EFFECTS, (titles: string) => string>> = {
  removed: (titles) => `I've removed ${titles} again.`,
  brought_back: (titles) => `I've brought back ${titles}.`,
  reopened: (titles) => `I've reopened ${titles}.`,
  completed: (titles) => `I've marked ${titles} as done again.`,
  changed: (titles) => `I've changed it back to ${titles}.`,
};

/** The effect of `undo_change` in one or a few sentences. */
export function describeRestored(result: Json): string {
  const restored = restoredOf(result);
  const sentences = (Object.keys(SENTENCES) as (keyof typeof EFFECTS)[]).flatMap((effect) => {
    const titles = restored.filter((item) => item.effect === effect).map(({ task }) => task.title);
    return titles.length === 0 ? [] : [SENTENCES[effect](quoteAll(titles, 'and'))];
  });
  return sentences.length === 0 ? 'There was nothing to undo.' : sentences.join(' ');
}
