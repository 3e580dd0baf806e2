import { extractWhen } from '../../language/when.ts';
import { readPositions } from '../../language/words.ts';
import { addDays, today, type Zone } from '../../language/zoned-time.ts';
import { cleanReference } from './frames/clean-reference.ts';
import { type KnownTask, orderTasks } from './known-task.ts';
import { isPronoun, resolveReference } from './resolve-reference.ts';
import type { Command, TaskContext } from './task-context.ts';

/** The tasks of a group, or the words for an exception that no task answers to. */
export type Group = { tasks: KnownTask[] } | { unknown: string };

const STATE = /^(?:(?:completed?|done|finished)|(pending|open|unfinished|incomplete|undone))$/i;
const DATED = /^(?:(?:those|these|the|ones?|tasks?|items?|things?|stuff|that|which|is|are|due|what)\s*)*$/i;

/** The tasks that "everything due tomorrow except milk" stands for. What is excepted is never among them. */
export function findGroup(command: Command, tasks: readonly KnownTask[], context: TaskContext): Group {
  // The time of a change is the new one; that of a deletion or completion limits the group.
  const day = command.action === 'update' ? command.slots.day : command.slots.when;
  const meant = orderTasks(tasks).filter((task) => isMeant(command, task) && isDue(day, task, context.zone));
  const named = command.slots.ref === undefined ? meant : allNamed(command.slots.ref, meant, context);
  const { except } = command.slots;
  if (except === undefined) return { tasks: named };
  const excepted = findExcepted(except, tasks, context);
  return 'unknown' in excepted ? excepted : { tasks: named.filter((task) => !excepted.tasks.includes(task)) };
}

/** The tasks that positions refer to: the list shown last, without tasks that are gone. */
export function countedTasks(tasks: readonly KnownTask[], { memory }: TaskContext): readonly KnownTask[] {
  return memory.shown.length === 0
    ? orderTasks(tasks)
    : memory.shown.map((shown) => tasks.find(({ id }) => id === shown.id) ?? shown);
}

function isMeant({ action, slots: { filter, is_completed } }: Command, task: KnownTask): boolean {
  if (action === 'complete') return !task.is_completed;
  if (action === 'update') return task.is_completed === (is_completed === false);
  return filter === undefined || filter === 'all' || task.is_completed === (filter === 'completed');
}

function isDue(when: string | undefined, { due_date }: KnownTask, zone: Zone): boolean {
  if (when === undefined) return true;
  const day = due_date?.slice(0, 10);
  if (day === undefined) return false;
  if (when === 'overdue') return day <= addDays(today(zone), -1);
  // A month alone is all of its days.
  const span = extractWhen(/^[a-z]+$/i.test(when) ? `in ${when}` : when, zone) ?? extractWhen(when, zone);
  return span !== undefined && span.from <= day && day <= span.to;
}

function findExcepted(words: string, tasks: readonly KnownTask[], context: TaskContext): Group {
  const whole = allNamed(words, tasks, context, 'exact');
  if (whole.length > 0) return { tasks: whole };
  const found: KnownTask[] = [];
  for (const part of splitNames(words)) {
    const matches = findPart(part, tasks, context);
    if (matches.length === 0) return { unknown: cleanReference(part) || part };
    found.push(...matches);
  }
  return { tasks: found };
}

/** "milk, eggs and soap". */
export function splitNames(words: string): string[] {
  return words.split(/\s*,\s*(?:(?:and|or)\s+)?|\s+(?:and|or|&)\s+/i).filter((part) => part !== '');
}

function findPart(part: string, tasks: readonly KnownTask[], context: TaskContext): KnownTask[] {
  const ref = cleanReference(part) || part;
  const counted = countedTasks(tasks, context);
  const positions = readPositions(ref, counted.length);
  if (positions) return positions.flatMap((position) => counted[position - 1] ?? []);
  const state = STATE.exec(ref.replace(/\s+ones$/i, ''));
  if (state) return tasks.filter((task) => task.is_completed === (state[1] === undefined));
  const when = extractWhen(part.replace(/'s\b/i, ''), context.zone);
  if (when && DATED.test(when.rest)) return tasks.filter((task) => isDue(when.text, task, context.zone));
  return allNamed(part, tasks, context);
}

function allNamed(words: string, tasks: readonly KnownTask[], context: TaskContext, least?: 'exact'): KnownTask[] {
  const ref = cleanReference(words) || words;
  const { last } = context.memory;
  if (isPronoun(ref)) return tasks.filter((task) => task.id === last?.id);
  const found = resolveReference(ref, tasks, { ordered: countedTasks(tasks, context) });
  if (found.kind === 'none' || (least && found.how !== least)) return [];
  return found.kind === 'one' ? [found.item] : found.items;
}
