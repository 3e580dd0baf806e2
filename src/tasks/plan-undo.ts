import { isDeepStrictEqual } from 'node:util';
import type { Task, Undone } from '../schema/task.ts';
import type { StoredTask } from './task-store.ts';

/** A change of one task. A new task has no `before`. */
export interface HistoryEntry {
  before?: StoredTask;
  after: StoredTask;
}

/** A task as it is, and as an undo leaves it. */
interface Restore {
  from: StoredTask;
  to: StoredTask;
}

interface UndoInput {
  /** The changes of one batch, oldest first. */
  entries: readonly HistoryEntry[];
  /** The task as it is now; undefined if it was purged. */
  read(taskId: string): StoredTask | undefined;
  at: string;
}

/** The tasks to write for an undo, or the tasks that changed after the batch. Every store decides by this function. */
export function planUndo({ entries, read, at }: UndoInput): Restore[] | { changedSince: Task[] } {
  const changes = [...netChanges(entries).values()].filter(isVisible);
  const changedSince = changes.filter(({ after }) => !isDeepStrictEqual(read(after.id), after));
  if (changedSince.length > 0)
    return { changedSince: changedSince.map(({ after }) => toShown(read(after.id) ?? after)) };
  return changes.map(({ before, after }) => ({ from: after, to: before ?? { ...after, deleted_at: at } }));
}

/** Several changes of one task within a batch count as one. */
function netChanges(entries: readonly HistoryEntry[]): Map<string, HistoryEntry> {
  const changes = new Map<string, HistoryEntry>();
  for (const entry of entries) {
    const first = changes.get(entry.after.id) ?? entry;
    changes.set(entry.after.id, { ...first, after: entry.after });
  }
  return changes;
}

/** A task that was added and deleted in the same batch, or changed and changed back, needs no undo. */
function isVisible({ before, after }: HistoryEntry): boolean {
  if (before === undefined || before.deleted_at !== undefined) return after.deleted_at === undefined;
  return !isDeepStrictEqual(before, after);
}

export function describeUndo(batch: string, restores: readonly Restore[]): Undone {
  return { batch, restored: restores.map(describeRestore) };
}

function describeRestore({ from, to }: Restore): Undone['restored'][number] {
  if (to.deleted_at !== undefined) return { change: 'removed', task: toShown(from) };
  if (from.deleted_at !== undefined) return { change: 'brought_back', task: toShown(to) };
  const isSame = from.is_completed === to.is_completed;
  const change = isSame ? 'changed' : to.is_completed ? 'completed' : 'reopened';
  return { change, task: toShown(to), was: toShown(from) };
}

function toShown({ deleted_at: _, ...task }: StoredTask): Task {
  return task;
}
