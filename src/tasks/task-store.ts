import type { Uuid } from '../schema/ids.ts';
import type { DueDate, Task, TaskFilter } from '../schema/task.ts';

interface NewTask {
  title: string;
  description?: string | undefined;
  due_date?: DueDate | undefined;
}

export interface TaskChange {
  title?: string | undefined;
  description?: string | undefined;
  due_date?: DueDate | undefined;
  is_completed?: boolean | undefined;
  /** What is taken away. */
  clear?: readonly ClearableField[] | undefined;
}

type ClearableField = 'description' | 'due_date';

/** Days as `YYYY-MM-DD`, both included; an absent end is open. */
export interface DueRange {
  from?: string;
  to?: string;
}

export interface TaskQuery {
  filter: TaskFilter;
  due?: DueRange | undefined;
  /** Titles that hold this text, in any letter case. */
  search?: string | undefined;
}

/** The id under which a change was asked for: the same one again changes nothing and gets the first answer. */
export interface TaskCall {
  callId: string;
}

/**
 * The tasks of all users. The owner comes first in every method: another user's task answers exactly like one that
 * does not exist (undefined, false). A change, its check of the owner and its call id are written together or not at
 * all. A call id that stood for another change before throws `idempotency_mismatch`.
 */
export interface TaskStore {
  addTask(owner: Uuid, task: NewTask, call: TaskCall): Promise<Task>;
  /** Newest first. */
  listTasks(owner: Uuid, query: TaskQuery): Promise<Task[]>;
  /** A task that is already complete stays as it is. */
  completeTask(owner: Uuid, taskId: Uuid, call: TaskCall): Promise<Task | undefined>;
  updateTask(owner: Uuid, taskId: Uuid, change: TaskChange, call: TaskCall): Promise<Task | undefined>;
  /** False when there was none. */
  deleteTask(owner: Uuid, taskId: Uuid, call: TaskCall): Promise<boolean>;
  close(): Promise<void>;
}
