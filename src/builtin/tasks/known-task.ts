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
  };
}

/** The order in which tasks are shown and counted: open before done, by due date, then the newest first. */
export function orderTasks(tasks: readonly KnownTask[]): KnownTask[] {
  const rank = ({ is_completed, due_date }: KnownTask) => `${is_completed ? 1 : 0} ${due_date ?? '9999'}`;
  // A day without a time comes after the times of that day, as its end.
  return tasks.toSorted((a, b) => compare(rank(a), rank(b)));
}

function compare(a: string, b: string): number {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (long.startsWith(short)) return a.length === b.length ? 0 : a === short ? 1 : -1;
  return a < b ? -1 : 1;
}
