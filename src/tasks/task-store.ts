import type { Uuid } from '../schema/ids.ts';
import type { DueDate, DueTasks, Task, TaskFilter, Undone } from '../schema/task.ts';

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
  /** The fields to clear. */
  clear?: readonly ClearableField[] | undefined;
}

type ClearableField = 'description' | 'due_date';

/** Days as `YYYY-MM-DD`, both included; an absent end is open. */
export interface DueRange {
  from?: string;
  to?: string;
}

interface TaskQuery {
  filter: TaskFilter;
  due?: DueRange | undefined;
  /** Titles that contain this text, in any letter case. */
  search?: string | undefined;
}

/** The id of a requested change: the same id again changes nothing and gets the first answer. */
export interface TaskCall {
  callId: string;
  /** The changes of one turn are undone together. Without it, the call is undone alone. */
  turnId?: string | undefined;
  /** The conversation of the turn; empty or absent outside a conversation. */
  conversationId?: string | undefined;
}

/** A task as the store holds it: a deleted task stays until it is purged. */
export interface StoredTask extends Task {
  deleted_at?: string;
}

/** How long deleted tasks, the history and call ids are kept. */
export const KEPT_MS = 30 * 24 * 3_600_000;

/** `undefined`: there is nothing to undo. `changedSince`: tasks that another batch changed later; nothing was done. */
export type UndoAnswer = Undone | { changedSince: Task[] } | undefined;

/**
 * The tasks of all users. The owner is the first argument of every method: another user's task looks exactly like a
 * missing one (undefined, false). A change, its owner check, its history and its call id are written together or not at
 * all. A call id that was used for another change throws `idempotency_mismatch`.
 */
export interface TaskStore {
  addTask(owner: Uuid, task: NewTask, call: TaskCall): Promise<Task>;
  /**
   * Sorted by due day, within a day first tasks without a time and then by the instant, then newest first. Tasks without a due
   * date come last. The due day is the day as written, in the task's own offset.
   */
  listTasks(owner: Uuid, query: TaskQuery): Promise<Task[]>;
  /** A completed task stays unchanged. */
  completeTask(owner: Uuid, taskId: Uuid, call: TaskCall): Promise<Task | undefined>;
  updateTask(owner: Uuid, taskId: Uuid, change: TaskChange, call: TaskCall): Promise<Task | undefined>;
  /** False if there was none. A deleted task appears in no list, and only `undo` finds it. */
  deleteTask(owner: Uuid, taskId: Uuid, call: TaskCall): Promise<boolean>;
  /**
   * Restores every field of every task of a batch (a turn id, or the call id of a change outside a turn), all or
   * nothing. Without a batch: the last changing turn of the call's conversation, or the user's last batch if the call
   * has no conversation; a second undo in one turn goes back one more step. An undo is a change that can be undone.
   */
  undo(owner: Uuid, target: { batch?: string | undefined }, call: TaskCall): Promise<UndoAnswer>;
  /**
   * The open tasks with a time of day that came due after `after` and until `until`. Without `after`: since they were
   * last reported to this user; what is reported is remembered.
   */
  takeDue(owner: Uuid, span: { after?: string | undefined; until: string }): Promise<DueTasks>;
  /** Removes everything of a user at once, history and call ids included. */
  eraseUser(owner: Uuid): Promise<void>;
  close(): Promise<void>;
}
