import type { JsonObject } from '../schema/json.ts';
import { cleanReference } from './clean-reference.ts';
import { describeChange, describeTakenBack, whyIdle } from './describe-change.ts';
import { countedTasks, splitNames } from './find-group.ts';
import { findSaid } from './find-said.ts';
import { nameTasks } from './name-tasks.ts';
import { planBulk, planSeveral } from './plan-bulk.ts';
import { isPronoun, type Resolution, resolveReference } from './resolve-reference.ts';
import { readDuration, shiftDue } from './shift-due.ts';
import {
  ask,
  type Command,
  callOne,
  type Desk,
  type Done,
  done,
  failed,
  lookUpTasks,
  replyAbout,
  searchTasks,
  type Work,
} from './task-desk.ts';
import { type KnownTask, readTask } from './task-memory.ts';
import { extractWhen } from './when.ts';
import { readPosition } from './words.ts';
import type { Zone } from './zoned-time.ts';

export type ChangeCommand = Command & { action: 'complete' | 'delete' | 'update' };
const MAX_NAMED = 5;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Words that turn a reference around: what only resembles it is then just what is not meant. */
const EXCEPTS = /^but\b|\b(?:except|excluding|apart from|other than|besides|all but|everything but|not)\b/i;
const QUESTIONS = { complete: 'mark as done', delete: 'delete', update: 'change' } as const;

/** Completes, deletes or changes one task: finds it, asks when that is not clear, and never guesses where it cannot be undone. */
export function* planChange(command: ChangeCommand, desk: Desk): Work<Done> {
  const readied = command.action === 'update' ? readyUpdate(command, desk) : command;
  if (isGroup(readied)) {
    if (readied.action === 'update') return done(readied, 'I can only change one task at a time. Tell me which one.');
    return yield* planBulk(readied, desk);
  }
  const [target, another] = readied.targets ?? [];
  if (another && readied.action !== 'update') return yield* planBulk(readied, desk);
  if (target) return yield* changeTask(readied, target, desk);
  if (readied.missing === 'ref' || readied.slots.ref === undefined) return askForTask(readied);
  if (readied.missing === 'change') return yield* findAndAsk(readied, readied.slots.ref, desk);
  return yield* findAndChange(readied, readied.slots.ref, desk);
}

/** What to change is open: the question names the task. */
function* findAndAsk(command: ChangeCommand, ref: string, desk: Desk): Work<Done> {
  const recalled = recall(ref, desk);
  if (recalled) return askForChange({ ...command, targets: [recalled] });
  if (isPronoun(ref) && desk.memory.said.length === 0) return askForTask(command);
  const looked = yield* lookUpTasks(desk);
  if ('error' in looked) return failed(command, looked);
  const found = narrow(command, yield* resolve(ref, looked.tasks, desk));
  if (found.kind === 'none' && isPronoun(ref)) return askForTask(command);
  if (found.kind === 'many') return askWhich(command, found.items, desk);
  if (found.kind === 'one') return askForChange({ ...command, targets: [found.item] });
  const question = `I couldn't find a task matching '${ref}'. Which task should I change?`;
  return ask(command, question, { kind: 'fill', command, missing: 'ref' });
}

function isGroup({ slots, targets }: ChangeCommand): boolean {
  return !targets && (slots.filter !== undefined || slots.except !== undefined);
}

function* findAndChange(command: ChangeCommand, ref: string, desk: Desk): Work<Done> {
  const recalled = recall(ref, desk);
  if (recalled) return yield* changeTask(command, yield* freshen(command, recalled, desk), desk);
  if (isPronoun(ref) && desk.memory.said.length === 0) return askForTask(command);
  const looked = yield* lookUpTasks(desk);
  if ('error' in looked) return failed(command, looked);
  const several = resolveSeveral(ref, looked.tasks, desk);
  if (several && command.action !== 'update') return yield* planSeveral(command, several, desk);
  const found = narrow(command, yield* resolve(ref, looked.tasks, desk));
  if (found.kind === 'none' && isPronoun(ref)) return askForTask(command);
  if (found.kind === 'none' || (found.how === 'overlap' && EXCEPTS.test(ref))) return notFound(command, ref, desk);
  if (found.kind === 'many') return askWhich(command, found.items, desk);
  if (found.how === 'overlap' && command.action !== 'complete') return askIfMeant(command, found.item);
  return yield* changeTask(command, found.item, desk);
}

/** "milk and eggs": each part names a task of its own, and no task is named by the whole. */
function resolveSeveral(ref: string, tasks: readonly KnownTask[], desk: Desk): KnownTask[] | undefined {
  const parts = splitNames(ref);
  if (parts.length < 2 || isExact(resolveReference(ref, tasks, { ordered: tasks }))) return undefined;
  const context = { ordered: countedTasks(tasks, desk) };
  const found = parts.map((part) => resolveReference(cleanReference(part), tasks, context));
  const items = found.flatMap((resolution) => (resolution.kind === 'one' && isSure(resolution) ? resolution.item : []));
  return items.length === parts.length && new Set(items).size === items.length ? items : undefined;
}

function isExact(resolution: Resolution<KnownTask>): boolean {
  return resolution.kind !== 'none' && resolution.how === 'exact';
}

function isSure(resolution: Resolution<KnownTask>): boolean {
  return resolution.kind === 'one' && resolution.how !== 'overlap';
}

/** Where only a part of the tasks could be seen, a better match may be among the others. */
function* resolve(ref: string, tasks: readonly KnownTask[], desk: Desk): Work<Resolution<KnownTask>> {
  if (isPronoun(ref)) return findSaid(tasks, desk.memory.said);
  const last = desk.memory.last;
  const found = resolveReference(ref, tasks, { ordered: tasks, last });
  if (!desk.list?.cut || (found.kind !== 'none' && (found.how === 'exact' || found.how === 'position'))) return found;
  const others = yield* searchTasks(desk, ref);
  const all = [...tasks, ...others.filter((other) => tasks.every((task) => task.id !== other.id))];
  return resolveReference(ref, all, { ordered: tasks, last });
}

/** "it" and "the second one" mean what was said and shown before; an id is itself. */
function recall(ref: string, { memory }: Desk): KnownTask | undefined {
  if (UUID.test(ref)) return { id: ref.toLowerCase(), title: ref, is_completed: false };
  if (isPronoun(ref)) return memory.last;
  const position = readPosition(ref);
  return position === undefined ? undefined : memory.shown.at(position > 0 ? position - 1 : position);
}

/** What a change depends on is looked at again: the task may have changed since it was mentioned. */
function* freshen({ slots, shift }: ChangeCommand, task: KnownTask, desk: Desk): Work<KnownTask> {
  if (slots.clear === undefined && slots.is_completed === undefined && shift === undefined) return task;
  const looked = yield* lookUpTasks(desk);
  return 'error' in looked ? task : (looked.tasks.find(({ id }) => id === task.id) ?? task);
}

/** A done task is not meant where an open one could be; to be opened again it must be done. */
function narrow({ action, slots }: ChangeCommand, found: Resolution<KnownTask>): Resolution<KnownTask> {
  if (found.kind !== 'many' || action === 'delete') return found;
  const open = found.items.filter((task) => task.is_completed === (slots.is_completed === false));
  const [first] = open;
  if (!first) return found;
  return open.length === 1 ? { kind: 'one', item: first, how: found.how } : { ...found, items: open };
}

function* changeTask(open: ChangeCommand, task: KnownTask, desk: Desk): Work<Done> {
  const command = { ...open, targets: [task] };
  if (command.action === 'update' && command.missing === 'change') return askForChange(command);
  const idle = whyIdle(command, task, desk);
  if (idle !== undefined) return done(command, idle);
  const args = changeArguments(command, task, desk);
  if (args === undefined) return askForChange(command);
  const outcome = yield* callOne({ name: desk.names[command.action] ?? '', arguments: args });
  if ('error' in outcome) return failed(command, outcome);
  const told = readTask(outcome.result) ?? task;
  if (desk.list) desk.list.tasks = applyChange(desk.list.tasks, command, told);
  return done(command, describeTakenBack(command, told) ?? replyAbout(command.action, told, desk));
}

function applyChange(tasks: readonly KnownTask[], { action }: ChangeCommand, changed: KnownTask): KnownTask[] {
  if (action === 'delete') return tasks.filter((task) => task.id !== changed.id);
  return tasks.map((task) => (task.id === changed.id ? changed : task));
}

/** Undefined where the new date cannot be told. */
function changeArguments(command: ChangeCommand, task: KnownTask, { zone }: Desk): JsonObject | undefined {
  const { action, slots } = command;
  if (action !== 'update') return { task_id: task.id };
  const due = newDue(command, task, zone);
  if (due === undefined && slots.when !== undefined) return undefined;
  return {
    task_id: task.id,
    ...(slots.title !== undefined && { title: slots.title }),
    ...(slots.description !== undefined && { description: slots.description }),
    ...(due !== undefined && { due_date: due }),
    ...(slots.is_completed === false && { is_completed: false }),
    ...(slots.clear !== undefined && { clear: [slots.clear] }),
  };
}

function newDue({ shift, slots: { when } }: ChangeCommand, task: KnownTask, zone: Zone): string | undefined {
  if (when === undefined) return undefined;
  if (shift === undefined) return extractWhen(when, zone)?.due;
  const time = readDuration(when);
  return time && shiftDue(task.due_date, { ...time, count: shift === 'earlier' ? -time.count : time.count }, zone);
}

/** "change the report to Friday" moves it; a time that cannot be read leaves the change open. */
function readyUpdate(command: ChangeCommand, { zone }: Desk): ChangeCommand {
  const { title, when, ...others } = command.slots;
  if (title !== undefined && extractWhen(title, zone)?.rest === '')
    return { ...command, slots: { ...others, when: title } };
  if (when !== undefined && command.shift === undefined && extractWhen(when, zone) === undefined)
    return { ...command, slots: others, missing: 'change' };
  return command;
}

function askForTask(command: ChangeCommand): Done {
  const what = command.slots.is_completed === false ? 'reopen' : QUESTIONS[command.action];
  return ask(command, `Which task should I ${what}?`, { kind: 'fill', command, missing: 'ref' });
}

function askForChange(command: ChangeCommand): Done {
  const name = command.targets?.[0]?.title ?? command.slots.ref;
  const question =
    name === undefined || isPronoun(name) ? 'What should I change it to?' : `What should I change '${name}' to?`;
  return ask(command, question, { kind: 'fill', command, missing: 'change' });
}

function askWhich(command: ChangeCommand, tasks: readonly KnownTask[], { zone }: Desk): Done {
  const named = nameTasks(tasks.slice(0, MAX_NAMED), 'or', zone);
  const more = tasks.length > MAX_NAMED ? ` (and ${tasks.length - MAX_NAMED} more)` : '';
  return ask(command, `Which task did you mean: ${named}${more}?`, { kind: 'choose', command, candidates: [...tasks] });
}

function askIfMeant(command: ChangeCommand, task: KnownTask): Done {
  return ask(command, `Shall I ${describeChange(command, task)}?`, { kind: 'confirm', command, candidates: [task] });
}

function notFound(command: ChangeCommand, ref: string, desk: Desk): Done {
  const cut = desk.list?.cut ? ' I could only look at your newest tasks.' : '';
  const hint = desk.list?.tasks.length === 0 ? "You don't have any tasks yet." : 'Say "show my tasks" to see them.';
  return done(command, `I couldn't find a task matching '${ref}'.${cut} ${hint}`);
}
