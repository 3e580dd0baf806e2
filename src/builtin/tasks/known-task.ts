import { isObject, type Json } from '../../schema/json.ts';
import type { TaskAction } from './task-tools.ts';

/** A task as far as tool results describe it. */
export interface KnownTask {
  id: string;
  title: string;
  description?: string;
  due_date?: string;
  is_completed: boolean;
  created_at?: string;
  completed_at?: string;
}

export interface TaskChange {
  action: Exclude<TaskAction, 'list'>;
  task: KnownTask;
  /** As it was, where that is known. */
  before?: KnownTask;
}

export function readTasks(result: Json): KnownTask[] {
  const items = Array.isArray(result) ? result : isObject(result) && Array.isArray(result.tasks) ? result.tasks : [];
  return items.flatMap((item) => readTask(item) ?? []);
}

export function readTask(value: Json): KnownTask | undefined {
  if (!isObject(value) || typeof value.id !== 'string' || typeof value.title !== 'string') return undefined;
  return {
    id: value.id,
    title: value.title,
    is_completed: value.is_completed === true,
    ...(typeof value.description === 'string' && { description: value.description }),
    ...(typeof value.due_date === 'string' && { due_date: value.due_date }),
    ...(typeof value.created_at === 'string' && { created_at: value.created_at }),
    ...(typeof value.completed_at === 'string' && { completed_at: value.completed_at }),
  };
}

/**
 * The order in which tasks are shown and counted: open before done, by day, a day without a time before the times of
 * that day, tasks without a day last. Equal tasks come oldest first, because people count in the order in which they
 * added things; our stores list the newest first. A server that does not date its tasks keeps its own order.
 */
export function orderTasks(tasks: readonly KnownTask[]): KnownTask[] {
  const isNewestFirst = tasks.every(({ created_at }) => created_at !== undefined);
  const listed = isNewestFirst ? tasks.toReversed() : [...tasks];
  return listed.sort(
    (a, b) =>
      Number(a.is_completed) - Number(b.is_completed) ||
      compareDue(a.due_date, b.due_date) ||
      (a.created_at ?? '').localeCompare(b.created_at ?? ''),
  );
}

function compareDue(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  const days = a.slice(0, 10).localeCompare(b.slice(0, 10));
  if (days !== 0) return days;
  const [isTimedA, isTimedB] = [a.length > 10, b.length > 10];
  return isTimedA && isTimedB ? Date.parse(a) - Date.parse(b) : Number(isTimedA) - Number(isTimedB);
}
