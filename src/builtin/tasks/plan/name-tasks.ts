import type { Zone } from '../../../language/zoned-time.ts';
import { describeDue, quoteAll } from '../../reply.ts';
import type { KnownTask } from '../known-task.ts';

/** "'a', 'b' or 'c'"; equal titles are numbered and get a distinguishing detail. */
export function nameTasks(tasks: readonly KnownTask[], link: 'and' | 'or', zone: Zone): string {
  const isTwin = (task: KnownTask) => tasks.some((other) => other !== task && isSameTitle(other, task));
  if (!tasks.some(isTwin)) {
    return quoteAll(
      tasks.map((task) => task.title),
      link,
    );
  }
  const named = tasks.map((task, index) => {
    const note = isTwin(task) ? ` (${noteFor(task, tasks, zone)})` : '';
    return `${index + 1}. '${task.title}'${note}`;
  });
  return `${named.slice(0, -1).join(', ')} ${link} ${named.at(-1)}`;
}

function isSameTitle(a: KnownTask, b: KnownTask): boolean {
  return a.title.toLowerCase() === b.title.toLowerCase();
}

function noteFor(task: KnownTask, tasks: readonly KnownTask[], zone: Zone): string {
  const note = describeState(task, zone);
  const alike = tasks.filter((other) => isSameTitle(other, task) && describeState(other, zone) === note);
  if (alike.length === 1) return note;
  const byAge = alike.toSorted((a, b) => (b.created_at ?? '').localeCompare(a.created_at ?? ''));
  const age = byAge.indexOf(task);
  const rank = age === 0 ? 'the newest' : age === alike.length - 1 ? 'the oldest' : 'in between';
  return alike.length === tasks.length ? rank : `${note}, ${rank}`;
}

function describeState({ due_date, is_completed }: KnownTask, zone: Zone): string {
  const due = due_date === undefined ? [] : [`due ${describeDue(due_date, zone)}`];
  const notes = [...due, ...(is_completed ? ['done'] : [])];
  return notes.length === 0 ? 'no due date' : notes.join(', ');
}
