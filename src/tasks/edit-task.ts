import type { StoredTask, TaskChange } from './task-store.ts';

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
