import { cleanReference } from './clean-reference.ts';
import { isPronoun, resolveReference } from './resolve-reference.ts';
import type { Command, Desk } from './task-desk.ts';
import type { KnownTask } from './task-memory.ts';
import { extractWhen } from './when.ts';
import { addDays, today, type Zone } from './zoned-time.ts';

/** The tasks of a group, or the words for an exception that no task answers to. */
export type Group = { tasks: KnownTask[] } | { unknown: string };

const STATE = /^(?:(?:completed?|done|finished)|(pending|open|unfinished|incomplete|undone))$/i;
const DATED = /^(?:(?:those|these|the|ones?|tasks?|items?|things?|stuff|that|which|is|are|due|what)\s*)*$/i;

/** The tasks that "everything due tomorrow except milk" stands for. What is excepted is never among them. */
export function findGroup(command: Command, tasks: readonly KnownTask[], desk: Desk): Group {
  const meant = tasks.filter((task) => isMeant(command, task) && isDue(command.slots.when, task, desk.zone));
  const named = command.slots.ref === undefined ? meant : allNamed(command.slots.ref, meant, desk);
  const { except } = command.slots;
  if (except === undefined) return { tasks: named };
  const excepted = findExcepted(except, tasks, desk);
  return 'unknown' in excepted ? excepted : { tasks: named.filter((task) => !excepted.tasks.includes(task)) };
}

/** What positions count by: the list that was shown last, as far as its tasks are still there. */
export function countedTasks(tasks: readonly KnownTask[], { memory }: Desk): readonly KnownTask[] {
  return memory.shown.length === 0
    ? tasks
    : memory.shown.map((shown) => tasks.find(({ id }) => id === shown.id) ?? shown);
}

function isMeant({ action, slots: { filter } }: Command, task: KnownTask): boolean {
  if (action === 'complete') return !task.is_completed;
  return filter === undefined || filter === 'all' || task.is_completed === (filter === 'completed');
}

function isDue(when: string | undefined, { due_date }: KnownTask, zone: Zone): boolean {
  if (when === undefined) return true;
  const day = due_date?.slice(0, 10);
  if (day === undefined) return false;
  if (when === 'overdue') return day <= addDays(today(zone), -1);
  const span = extractWhen(when, zone);
  return span !== undefined && span.from <= day && day <= span.to;
}

function findExcepted(words: string, tasks: readonly KnownTask[], desk: Desk): Group {
  const whole = allNamed(words, tasks, desk, 'exact');
  if (whole.length > 0) return { tasks: whole };
  const found: KnownTask[] = [];
  for (const part of splitNames(words)) {
    const matches = findPart(part, tasks, desk);
    if (matches.length === 0) return { unknown: cleanReference(part) || part };
    found.push(...matches);
  }
  return { tasks: found };
}

/** "milk, eggs and soap". */
export function splitNames(words: string): string[] {
  return words.split(/\s*,\s*(?:(?:and|or)\s+)?|\s+(?:and|or|&)\s+/i).filter((part) => part !== '');
}

function findPart(part: string, tasks: readonly KnownTask[], desk: Desk): KnownTask[] {
  const ref = cleanReference(part) || part;
  const state = STATE.exec(ref.replace(/\s+ones$/i, ''));
  if (state) return tasks.filter((task) => task.is_completed === (state[1] === undefined));
  const when = extractWhen(part.replace(/'s\b/i, ''), desk.zone);
  if (when && DATED.test(when.rest)) return tasks.filter((task) => isDue(when.text, task, desk.zone));
  return allNamed(part, tasks, desk);
}

function allNamed(words: string, tasks: readonly KnownTask[], desk: Desk, least?: 'exact'): KnownTask[] {
  const ref = cleanReference(words) || words;
  const { last } = desk.memory;
  if (isPronoun(ref)) return tasks.filter((task) => task.id === last?.id);
  const found = resolveReference(ref, tasks, { ordered: countedTasks(tasks, desk) });
  if (found.kind === 'none' || (least && found.how !== least)) return [];
  return found.kind === 'one' ? [found.item] : found.items;
}
