import { extractWhen } from '../../../language/when.ts';
import { addDays, createZone, today, type Zone } from '../../../language/zoned-time.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { describeDue } from '../../reply.ts';
import type { Command, Done } from '../command.ts';
import { callOne, done, failed, type TaskContext, type Work } from '../context.ts';
import { type KnownTask, orderTasks, readTasks } from '../known-task.ts';

const MAX_SHOWN = 50;

/** Shows tasks, numbered so that "the second one" can be said next. */
export function* planList(command: Command, context: TaskContext): Work<Done> {
  const { zone } = context;
  const finished = finishedIn(command, zone);
  const asked = listArguments(command, zone, finished);
  const isKnown = context.list && asked.due === undefined && !context.list.cut;
  const outcome = isKnown ? undefined : yield* callOne({ name: context.names.list ?? '', arguments: asked });
  if (outcome && 'error' in outcome) return failed(command, outcome);
  const isState = ({ is_completed }: KnownTask) =>
    asked.filter === undefined || asked.filter === 'all' || is_completed === (asked.filter === 'completed');
  const listed = outcome ? readTasks(outcome.result) : (context.list?.tasks ?? []).filter(isState);
  const tasks = orderTasks(listed).filter(
    (task) =>
      (!command.slots.undated || task.due_date === undefined) &&
      (!finished || isBetween(task.completed_at, finished, zone)),
  );
  const cut = outcome?.cut === true;
  return done(
    command,
    tasks.length === 0 ? describeNone(command, finished) : describeTasks(command, { tasks, cut, finished }, zone),
  );
}

interface Days {
  from: string;
  to: string;
}

/** "what did I finish today": the days on which tasks were completed, not those on which they are due. */
function finishedIn({ slots: { filter, when } }: Command, zone: Zone): Days | undefined {
  const span = filter === 'completed' && when !== undefined && when !== 'overdue' ? extractWhen(when, zone) : undefined;
  return span && span.from <= today(zone) ? span : undefined;
}

function isBetween(instant: string | undefined, { from, to }: Days, { timezone }: Zone): boolean {
  if (instant === undefined) return false;
  const day = today(createZone({ now: new Date(instant), timezone }));
  return from <= day && day <= to;
}

function listArguments({ slots }: Command, zone: Zone, finished: Days | undefined): JsonObject {
  const { filter, when } = slots;
  if (when !== undefined && /^overdue|^late$/i.test(when))
    return { filter: 'pending', due: `../${addDays(today(zone), -1)}` };
  const span = when === undefined || finished ? undefined : extractWhen(when, zone);
  const due = span && (span.from === span.to ? span.from : `${span.from}/${span.to}`);
  return { ...(filter !== undefined && { filter }), ...(due !== undefined && { due }) };
}

function describeNone({ slots: { filter, when, undated } }: Command, finished: Days | undefined): string {
  if (undated) return 'All of your open tasks have a date.';
  if (finished) return `You haven't completed any tasks ${when}.`;
  if (when !== undefined) return /overdue|late/i.test(when) ? 'Nothing is overdue.' : `Nothing is due ${when}.`;
  if (filter === 'completed') return "You haven't completed any tasks yet.";
  if (filter === 'pending') return 'You have no open tasks. Nice!';
  return 'You don\'t have any tasks yet. Try "remind me to buy milk".';
}

interface Shown {
  tasks: readonly KnownTask[];
  cut: boolean;
  finished: Days | undefined;
}

function describeTasks({ slots }: Command, { tasks, cut, finished }: Shown, zone: Zone): string {
  const { filter, when, undated } = slots;
  const kind = filter === 'completed' ? 'completed ' : filter === 'pending' ? 'open ' : '';
  const due = when === undefined ? '' : /overdue|late/i.test(when) ? ' overdue' : ` due ${when}`;
  const about = undated ? ' without a date' : finished ? ` from ${when}` : due;
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
