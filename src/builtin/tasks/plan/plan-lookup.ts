import { extractWhen } from '../../../language/when.ts';
import { addDays, createZone, today, type Zone } from '../../../language/zoned-time.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { describeDue, quoteAll } from '../../reply.ts';
import type { Command, Done } from '../command.ts';
import { callOne, done, failed, lookUpTasks, type TaskContext, type Work } from '../context.ts';
import { type KnownTask, orderTasks, readTasks } from '../known-task.ts';
import { areListWords, readFilter } from '../plain/list-forms.ts';
import { findMentioned, isPronoun, resolve } from '../resolve.ts';

const LIST: Command = { action: 'list', confidence: 0.7, evidence: 'likely', slots: {} };

/** Answers a question about a task from the list; changes nothing. */
export function* planLookup(command: Command, context: TaskContext): Work<Done> {
  const { ref } = command.slots;
  if (ref === undefined) return yield* planList(command, context);
  const looked = yield* lookUpTasks(context);
  if ('error' in looked) return failed(command, looked);
  const found = resolve(ref, looked.tasks, context.memory);
  const tasks = found.kind === 'none' || found.how === 'similar' ? findMentioned(ref, looked.tasks) : found.tasks;
  if (tasks.length > 0) return done(command, describeStates(tasks, context));
  return done(command, `I couldn't find a task matching '${ref}'. Say "show my tasks" to see them.`);
}

const WHAT_LAST =
  /^what (?:did|have) (?:i|you|we) (?:(?:just|last) (?:delete|remove|add|change|do|mark|complete|rename|move|undo)|(?:delete|remove|rename|undo))\w*(?: (?:just(?: now)?|last))?\W*$/i;
const OF_LIST =
  /\b(?:list|tasks?|everything|anything|left|remain\w*|outstanding|pending|due|deadlines?|to do|todo|on my plate|i have|have i|whole lot|first|next|order|again|so far)\b/i;

/** Asks whether something was done, by its first words. */
const DONE_YET =
  /^(?:\W*\w+\W+)?(?:did i|have i|is|was|am i done|are|do i still)\b.*\b(?:done|finished|completed?|open|i)\b/i;

/**
 * Answers a question that no list form reads: what was changed last, the tasks that it names, or the list where its words
 * are those of a list. Undefined for a question about something else.
 */
export function* answerQuestion(about: string, context: TaskContext): Work<Done | undefined> {
  const { text, memory, zone, reading } = context;
  if (WHAT_LAST.test(text) && memory.changes.length > 0) return done(LIST, `I last ${describeLast(memory)}.`);
  // "how do I delete …?" asks for help with something else.
  if (/^(?:\W*(?:so|and|hey|ok)\W+)*how (?:do|can|could|would|should|to)\b/i.test(text)) return undefined;
  const shown = reading?.labels.show ?? 0;
  const other = Math.max(reading?.labels.other ?? 0, reading?.labels.help ?? 0);
  const isOwn = /\b(?:i|we|my|our)\b/i.test(text) || memory.known.length > 0;
  if (!isOwn && shown < 0.5) return undefined;
  const isElsewhere = other > 0.7 && shown < 0.3 && findMentioned(text, memory.known).length === 0;
  if (isElsewhere) return undefined;
  const looked = yield* lookUpTasks(context);
  if ('error' in looked) return undefined;
  const isIt = isPronoun(about) && memory.last && memory.isLastFresh;
  const found = about === '' || isPronoun(about) ? undefined : resolve(about, looked.tasks, memory);
  const named =
    found && found.kind !== 'none' && found.how !== 'similar' ? found.tasks : findMentioned(text, looked.tasks);
  const tasks = isIt ? looked.tasks.filter(({ id }) => id === memory.last?.id) : named;
  if (tasks.length > 0 && tasks.length <= 5) return done(LIST, describeStates(tasks, context));
  const isTopic = about !== '' && !areListWords(about) && extractWhen(about, zone)?.rest !== '';
  if (isTopic && other < 0.5 && about.split(' ').length < 6 && DONE_YET.test(text))
    return done(LIST, `I couldn't find a task matching '${about}'. Say "show my tasks" to see them.`);
  const isList = shown >= (isTopic ? 0.98 : 0.5) || (!isTopic && OF_LIST.test(text) && other < 0.5);
  return isList ? yield* planList({ ...LIST, slots: readFilter(text, zone) }, context) : undefined;
}

const DONE = { create: 'added', delete: 'deleted', complete: 'marked as done', update: 'changed' } as const;
const MAX_NAMED = 3;

/** The last change in words: "deleted: 'milk'". */
export function describeLast({ changes }: TaskContext['memory']): string {
  const [first] = changes;
  const named = changes.slice(0, MAX_NAMED).map(({ task, before }) => before?.title ?? task.title);
  const more = changes.length > MAX_NAMED ? ` and ${changes.length - MAX_NAMED} more` : '';
  return `${DONE[first?.action ?? 'update']}: ${quoteAll(named, 'and')}${more}`;
}

function describeStates(tasks: readonly KnownTask[], { zone }: TaskContext): string {
  const dated = tasks.filter((task) => !task.is_completed && task.due_date !== undefined);
  const lines = dated.map((task) => `'${task.title}' is still open, due ${describeDue(task.due_date ?? '', zone)}.`);
  const others = tasks.filter((task) => !dated.includes(task));
  const [finished, open] = [others.filter((task) => task.is_completed), others.filter((task) => !task.is_completed)];
  return [
    ...lines,
    ...(open.length > 0 ? [`${titles(open)} ${open.length === 1 ? 'is' : 'are'} still open.`] : []),
    ...(finished.length > 0 ? [`${titles(finished)} ${finished.length === 1 ? 'is' : 'are'} marked as done.`] : []),
  ].join(' ');
}

function titles(tasks: readonly KnownTask[]): string {
  return quoteAll(
    tasks.map((task) => task.title),
    'and',
  );
}

const MAX_SHOWN = 50;

/** Shows tasks, numbered so that "the second one" can be said next. */
function* planList(command: Command, context: TaskContext): Work<Done> {
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
