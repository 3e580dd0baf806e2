import { unquote } from '../../../language/clean-text.ts';
import { withoutCourtesy } from '../../../language/filler-words.ts';
import { quoteAll } from '../../reply.ts';
import type { ChangeCommand, Done } from '../command.ts';
import {
  ask,
  callOne,
  done,
  failed,
  leaveAlone,
  lookUpTasks,
  replyAbout,
  searchTasks,
  type TaskContext,
  type Work,
} from '../context.ts';
import { decide, deedOf, type How } from '../decide.ts';
import { resolveGroup } from '../group.ts';
import { type KnownTask, readTask } from '../known-task.ts';
import { findMentioned, isPlural, isPronoun, isSameName, type Resolution, recall, resolve } from '../resolve.ts';
import { changeArguments, readyUpdate } from './change-arguments.ts';
import {
  confirmation,
  describeChange,
  describeNone,
  describeTakenBack,
  nameTasks,
  whyIdle,
} from './describe-change.ts';
import { inverseOf } from './inverse-calls.ts';

const MAX_NAMED = 10;
const MAX_CHOICES = 5;
const ONE_AT_A_TIME = 'I can only change one task at a time. Tell me which one.';
const QUESTIONS = { complete: 'mark as done', delete: 'delete', update: 'change' } as const;
const VERBS = { delete: 'deleted', complete: 'marked as done', update: 'changed' } as const;

/** Completes, deletes or changes tasks: finds them, and does what the policy allows. */
export function* planChange(given: ChangeCommand, context: TaskContext): Work<Done> {
  const command = given.action === 'update' ? readyUpdate(given, context.zone) : given;
  const { ref, filter, except } = command.slots;
  if (command.targets) return yield* changeFound(command, command.targets, 'exact', context);
  if (filter === undefined && except === undefined && (command.missing === 'ref' || ref === undefined))
    return askForTask(command);
  const found = yield* findTasks(command, context);
  if ('error' in found) return failed(command, found);
  if (found.kind === 'none') return notFound(command, found.unknown, context);
  if (found.kind === 'many') return askWhich(command, found.tasks, context);
  if (found.tasks.length === 0) return done(command, describeNone(command));
  return yield* changeFound(command, found.tasks, found.how, context);
}

type Failed = Extract<Parameters<typeof failed>[1], { error: unknown }>;

function* findTasks(command: ChangeCommand, context: TaskContext): Work<Resolution | Failed> {
  const { slots } = command;
  const { memory, zone } = context;
  const recalled = slots.ref === undefined ? undefined : yield* recallTask(slots.ref, command, context);
  const isFinal = slots.when === undefined && slots.clear === undefined && slots.is_completed === undefined;
  if (recalled?.kind === 'many' || (recalled?.kind === 'found' && isFinal)) return recalled;
  const looked = yield* lookUpTasks(context);
  if ('error' in looked) return looked;
  const { tasks } = looked;
  // Recalled tasks may have changed since.
  if (recalled?.kind === 'found')
    return { ...recalled, tasks: recalled.tasks.map((task) => tasks.find(({ id }) => id === task.id) ?? task) };
  // Only open tasks can be completed or moved.
  const isOfOpen = command.action !== 'delete' && slots.filter !== 'completed' && slots.is_completed === undefined;
  if (slots.filter !== undefined || slots.except !== undefined)
    return resolveGroup(
      { ...slots, ...(isOfOpen && { filter: 'pending' as const }) },
      command.action === 'update' ? slots.day : slots.when,
      { tasks, memory, zone },
    );
  const ref = slots.ref ?? '';
  const found = resolve(ref, tasks, memory);
  const isSure = found.kind !== 'none' && found.how === 'exact';
  if (!context.list?.cut || isSure) return narrow(command, found);
  const others = yield* searchTasks(context, ref);
  const all = [...tasks, ...others.filter((other) => tasks.every((task) => task.id !== other.id))];
  return narrow(command, resolve(ref, all, memory));
}

/** "it" means the task that was just spoken of, or another one that a message beyond plain words speaks of. */
function* recallTask(ref: string, { evidence }: ChangeCommand, context: TaskContext): Work<Resolution> {
  const recalled = recall(ref, context.memory);
  if (!isPronoun(ref) || evidence === 'plain') return recalled;
  const mentioned = findMentioned(context.text, context.list?.tasks ?? context.memory.known);
  const [task, another] = mentioned;
  if (!task || mentioned.some(({ id }) => id === context.memory.last?.id)) return recalled;
  return another ? { kind: 'many', tasks: mentioned, how: 'about' } : { kind: 'found', tasks: [task], how: 'about' };
}

/** A done task is not meant where an open one could be; to be opened again it must be done. */
function narrow({ action, slots }: ChangeCommand, found: Resolution): Resolution {
  if (found.kind !== 'many' || action === 'delete') return found;
  const open = found.tasks.filter((task) => task.is_completed === (slots.is_completed === false));
  if (open.length === 0) return found;
  return { kind: open.length === 1 ? 'found' : 'many', tasks: open, how: found.how };
}

function* changeFound(open: ChangeCommand, tasks: KnownTask[], how: How, context: TaskContext): Work<Done> {
  const isGrave = deedOf(open) === 'delete' || deedOf(open) === 'rename';
  const doubted = isGrave ? ('likely' as const) : ('unlikely' as const);
  const isOwn = open.evidence !== 'agreed' && isOwnWords(tasks, context);
  const command = isOwn ? { ...open, evidence: doubted } : open;
  const [task, another] = tasks;
  if (another && !isForMany(command)) return done(command, ONE_AT_A_TIME);
  if (!task) return askForTask(command);
  if (command.missing === 'change') return askForChange({ ...command, targets: tasks });
  const idle = another || how === 'similar' ? undefined : whyIdle(command, task, context);
  if (idle !== undefined) return done({ ...command, targets: tasks }, idle);
  const canUndo =
    context.names.undo !== undefined ||
    inverseOf({ action: command.action, task, before: task }, context) !== undefined;
  const verdict = decide({ command, how, count: tasks.length, canUndo });
  if (verdict === 'leave') return leaveAlone(`${describeChange(command, task)}.`);
  if (verdict !== 'do') return askIfMeant(command, tasks, { how, isClear: verdict === 'confirm', context });
  return another || how === 'group'
    ? yield* changeAll(command, tasks, context)
    : yield* changeTask(command, task, context);
}

const WORD_TITLE =
  /^(?:nothing|none|all|everything|anything|something|it|that|this|them|yes|no|ok|done|undo|last|first|rest|the (?:rest|last|first)(?: one)?|both|one|\d+)$/i;

/** "cancel gym membership", where that is the task, may be meant as the errand itself; a task may be called "it". */
function isOwnWords(tasks: readonly KnownTask[], { text }: TaskContext): boolean {
  const said = unquote(withoutCourtesy(text).words);
  return tasks.some(({ title }) => isSameName(title, said) || WORD_TITLE.test(title.trim()));
}

/** Several tasks can get a new day or be opened again, but not the same new name. */
function isForMany({ action, slots, missing }: ChangeCommand): boolean {
  return action !== 'update' || (missing === undefined && slots.title === undefined && slots.description === undefined);
}

function* changeTask(open: ChangeCommand, task: KnownTask, context: TaskContext): Work<Done> {
  const command = { ...open, targets: [task] };
  const args = changeArguments(command, task, context.zone);
  if (args === undefined) return askForChange(command);
  const outcome = yield* callOne({ name: context.names[command.action] ?? '', arguments: args });
  if ('error' in outcome) return failed(command, outcome);
  const changed = readTask(outcome.result) ?? task;
  if (context.list) context.list.tasks = applyChange(context.list.tasks, command, changed);
  const text = describeTakenBack(command, changed) ?? replyAbout(command.action, changed, context);
  return { ...done(command, text), changed: true };
}

function applyChange(tasks: readonly KnownTask[], { action }: ChangeCommand, changed: KnownTask): KnownTask[] {
  if (action === 'delete') return tasks.filter((task) => task.id !== changed.id);
  return tasks.map((task) => (task.id === changed.id ? changed : task));
}

function* changeAll(command: ChangeCommand, tasks: readonly KnownTask[], context: TaskContext): Work<Done> {
  const name = context.names[command.action] ?? '';
  const planned = tasks.map((task) => ({ task, args: changeArguments(command, task, context.zone) }));
  const ready = planned.filter(({ args }) => args !== undefined);
  const outcomes = yield ready.flatMap(({ args }) => (args ? [{ name, arguments: args }] : []));
  const changed = ready.flatMap(({ task }, index) => {
    const outcome = outcomes[index];
    return outcome && 'result' in outcome ? [readTask(outcome.result) ?? task] : [];
  });
  const verb = VERBS[command.action];
  const left = tasks.length - changed.length;
  const rest = left > 0 ? ` ${left} could not be ${verb}.` : '';
  const titles = changed.slice(0, MAX_NAMED).map(({ title }) => title);
  const which = changed.length > 0 && changed.length <= MAX_NAMED ? `: ${quoteAll(titles, 'and')}` : '';
  const text = `${changed.length} task${changed.length === 1 ? '' : 's'} ${verb}${which}.${rest}`;
  return { ...done(command, text), changed: true };
}

function askForTask(command: ChangeCommand): Done {
  const what = command.slots.is_completed === false ? 'reopen' : QUESTIONS[command.action];
  // "mark it as done" says what to do; a deletion without its task is not clear at all.
  const isClear = command.action !== 'delete' && isPronoun(command.slots.ref ?? '');
  return ask(command, `Which task should I ${what}?`, { kind: 'fill', command, missing: 'ref' }, isClear);
}

function askForChange(command: ChangeCommand): Done {
  const name = command.targets?.[0]?.title ?? command.slots.ref;
  const question =
    name === undefined || isPronoun(name) ? 'What should I change it to?' : `What should I change '${name}' to?`;
  return ask(command, question, { kind: 'fill', command, missing: 'change' });
}

function askWhich(command: ChangeCommand, tasks: readonly KnownTask[], { zone }: TaskContext): Done {
  const named = nameTasks(tasks.slice(0, MAX_CHOICES), 'or', zone);
  const more = tasks.length > MAX_CHOICES ? ` (and ${tasks.length - MAX_CHOICES} more)` : '';
  return ask(command, `Which task did you mean: ${named}${more}?`, { kind: 'choose', command, candidates: [...tasks] });
}

interface Doubt {
  how: How;
  /** The task is clear; only the order is in doubt. */
  isClear: boolean;
  context: TaskContext;
}

/** The change is named with its tasks; a yes makes it. */
function askIfMeant(command: ChangeCommand, tasks: KnownTask[], { how, isClear, context }: Doubt): Done {
  const [task] = tasks;
  if (how === 'group' || tasks.length > 1 || !task)
    return ask(command, confirmation(command, tasks, context.zone), { kind: 'confirm', command, candidates: tasks });
  if (how === 'similar' && deedOf(command) !== 'change' && command.action !== 'complete') {
    const question = `I couldn't find a task called '${command.slots.ref}'. Did you mean '${task.title}'?`;
    return ask(command, question, { kind: 'choose', command, candidates: tasks });
  }
  const pending = { kind: 'confirm', command, candidates: tasks } as const;
  return ask(command, `Shall I ${describeChange(command, task)}?`, pending, isClear);
}

function notFound(command: ChangeCommand, unknown: string | undefined, context: TaskContext): Done {
  const { ref = '' } = command.slots;
  if (unknown !== undefined)
    return done(command, `I couldn't find a task matching '${unknown}', so I have left everything as it is.`);
  if (isPronoun(ref) || isPlural(ref)) return askForTask(command);
  if (command.missing === 'change') {
    const question = `I couldn't find a task matching '${ref}'. Which task should I change?`;
    return ask(command, question, { kind: 'fill', command, missing: 'ref' });
  }
  const cut = context.list?.cut ? ' I could only look at your newest tasks.' : '';
  const hint = context.list?.tasks.length === 0 ? "You don't have any tasks yet." : 'Say "show my tasks" to see them.';
  return done(command, `I couldn't find a task matching '${ref}'.${cut} ${hint}`);
}
