import { extractWhen } from '../../../language/when.ts';
import { addDays, today, type Zone } from '../../../language/zoned-time.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { describeDue } from '../../reply.ts';
import { type KnownTask, orderTasks, readTasks } from '../known-task.ts';
import { type Command, callOne, type Done, done, failed, type TaskContext, type Work } from '../task-context.ts';

const MAX_SHOWN = 50;

/** Shows tasks, numbered so that "the second one" can be said next. */
export function* planList(command: Command, context: TaskContext): Work<Done> {
  const outcome = yield* callOne({ name: context.names.list ?? '', arguments: listArguments(command, context.zone) });
  if ('error' in outcome) return failed(command, outcome);
  const tasks = orderTasks(readTasks(outcome.result));
  return done(
    command,
    tasks.length === 0
      ? describeNone(command)
      : describeTasks(command, { tasks, cut: outcome.cut === true }, context.zone),
  );
}

function listArguments({ slots }: Command, zone: Zone): JsonObject {
  const { filter, when } = slots;
  if (when !== undefined && /^overdue|^late$/i.test(when))
    return { filter: 'pending', due: `../${addDays(today(zone), -1)}` };
  const span = when === undefined ? undefined : extractWhen(when, zone);
  const due = span && (span.from === span.to ? span.from : `${span.from}/${span.to}`);
  return { ...(filter !== undefined && { filter }), ...(due !== undefined && { due }) };
}

function describeNone({ slots: { filter, when } }: Command): string {
  if (when !== undefined) return /overdue|late/i.test(when) ? 'Nothing is overdue.' : `Nothing is due ${when}.`;
  if (filter === 'completed') return "You haven't completed any tasks yet.";
  if (filter === 'pending') return 'You have no open tasks. Nice!';
  return 'You don\'t have any tasks yet. Try "remind me to buy milk".';
}

function describeTasks(
  { slots: { filter, when } }: Command,
  { tasks, cut }: { tasks: readonly KnownTask[]; cut: boolean },
  zone: Zone,
): string {
  const kind = filter === 'completed' ? 'completed ' : filter === 'pending' ? 'open ' : '';
  const about = when === undefined ? '' : /overdue|late/i.test(when) ? ' overdue' : ` due ${when}`;
  const count = Math.min(tasks.length, MAX_SHOWN);
  const all = `You have ${tasks.length} ${kind}task${tasks.length === 1 ? '' : 's'}${about}:`;
  const head = cut ? `Here are your newest ${count} ${kind}tasks${about}; there are more:` : all;
  const lines = tasks.slice(0, MAX_SHOWN).map((task, index) => describeTask(task, index, zone));
  const more = tasks.length > MAX_SHOWN && !cut ? [`… and ${tasks.length - MAX_SHOWN} more.`] : [];
  return [head, ...lines, ...more].join('\n');
}

function describeTask(task: KnownTask, index: number, zone: Zone): string {
  const due = task.due_date === undefined ? [] : [`due ${describeDue(task.due_date, zone)}`];
  const notes = [...due, ...(task.is_completed ? ['done'] : [])];
  return `${index + 1}. ${task.title}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`;
}
