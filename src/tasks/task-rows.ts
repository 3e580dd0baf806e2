import type { SQLInputValue } from 'node:sqlite';
import type { StoredTask, TaskChange } from './task-store.ts';

/** A row of `tasks` as the migrations define it. */
interface TaskRow {
  id: string;
  user_id: string;
  title: string;
  description: string | null;
  due_date: string | null;
  is_completed: number;
  created_at: string;
  updated_at: string;
  completed_at: string | null;
  deleted_at: string | null;
}

export function toTask(row: Record<string, unknown>): StoredTask {
  // The columns are those of TASK_MIGRATIONS.
  const { id, user_id, title, description, due_date, is_completed, created_at, updated_at, completed_at, deleted_at } =
    row as unknown as TaskRow;
  return {
    id,
    user_id,
    title,
    ...(description !== null && { description }),
    ...(due_date !== null && { due_date }),
    is_completed: is_completed === 1,
    created_at,
    updated_at,
    ...(completed_at !== null && { completed_at }),
    ...(deleted_at !== null && { deleted_at }),
  };
}

/** The values of every column that an undo can restore. */
export function toRow({ id, user_id, ...task }: StoredTask): Record<string, SQLInputValue> {
  return {
    id,
    owner: user_id,
    title: task.title,
    description: orNull(task.description),
    due_date: orNull(task.due_date),
    is_completed: Number(task.is_completed),
    created_at: task.created_at,
    updated_at: task.updated_at,
    completed_at: orNull(task.completed_at),
    deleted_at: orNull(task.deleted_at),
  };
}

export function orNull(value: string | undefined): string | null {
  return value ?? null;
}

/** An edit returns the same object if nothing changes. */
export type Edit = (task: StoredTask, at: string) => StoredTask;

export const complete: Edit = (task, at) =>
  task.is_completed ? task : { ...task, is_completed: true, updated_at: at, completed_at: at };

export const remove: Edit = (task, at) => ({ ...task, deleted_at: at });

export function update({ clear = [], is_completed, title, description, due_date }: TaskChange): Edit {
  return (before, at) => {
    const task = {
      ...before,
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...(due_date !== undefined && { due_date }),
      updated_at: at,
    };
    for (const field of clear) delete task[field];
    if (is_completed === false) return reopen(task);
    return is_completed ? { ...task, is_completed, completed_at: task.completed_at ?? at } : task;
  };
}

function reopen({ completed_at: _, ...task }: StoredTask): StoredTask {
  return { ...task, is_completed: false };
}
