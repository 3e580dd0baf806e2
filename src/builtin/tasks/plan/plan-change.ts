import { startsWithVerb } from '../../../language/action-verbs.ts';
import { contentStems, toStems } from '../../../language/words.ts';
import { findSeveral, findTask, foundBy, recall } from '../find-task.ts';
import { allowChange, allowGuess } from '../guard/allow-change.ts';
import { ordersNothing } from '../guard/orders-nothing.ts';
import { isNoName, isOddName } from '../guard/plain-rename.ts';
import { type KnownTask, readTask } from '../known-task.ts';
import { isPronoun, type MatchKind } from '../resolve-reference.ts';
import {
  ask,
  type ChangeCommand,
  callOne,
  type Done,
  done,
  failed,
  leaveAlone,
  lookUpTasks,
  replyAbout,
  type TaskContext,
  type Work,
} from '../task-context.ts';
import { changeArguments, readyUpdate } from './change-arguments.ts';
import { describeChange, describeTakenBack, whyIdle } from './describe-change.ts';
import { inverseOf } from './inverse-calls.ts';
import { nameTasks } from './name-tasks.ts';
import { confirmSeveral, planBulk, planSeveral } from './plan-bulk.ts';
import { type Deed, decide } from './policy.ts';
import { whyUnable } from './unable.ts';

const MAX_NAMED = 5;
const QUESTIONS = { complete: 'mark as done', delete: 'delete', update: 'change' } as const;

/** Completes, deletes or changes tasks: finds them, and does what the policy allows. */
export function* planChange(command: ChangeCommand, context: TaskContext): Work<Done> {
  const readied = command.action === 'update' ? readyUpdate(command, context.zone) : command;
  const [target, another] = readied.targets ?? [];
  if (another && readied.targets && readied.isGuess) {
    const { targets, isGuess: _, ...sure } = readied;
    return confirmSeveral(sure, targets, context);
  }
  if (another || isGroup(readied)) return yield* planBulk(readied, context);
  if (target && readied.isGuess) return yield* confirmOne(readied, target, context);
  if (target) return yield* changeTask(readied, target, context);
  if (readied.candidates) return askWhich(readied, readied.candidates, context);
  if (readied.missing === 'ref' || readied.slots.ref === undefined) return askForTask(readied);
  return yield* findAndChange(readied, readied.slots.ref, context);
}

/** The change is named with its task; a yes makes it. */
function* confirmOne(
  { isGuess: _, targets: __, ...sure }: ChangeCommand,
  task: KnownTask,
  context: TaskContext,
): Work<Done> {
  const idle = whyIdle(sure, task, context);
  if (idle !== undefined) return done({ ...sure, targets: [task] }, idle);
  return yield* askIfMeant(sure, task, context);
}

function isGroup({ slots, targets }: ChangeCommand): boolean {
  return !targets && (slots.filter !== undefined || slots.except !== undefined);
}

function* findAndChange(command: ChangeCommand, ref: string, context: TaskContext): Work<Done> {
  const recalled = recall(ref, context);
  if (recalled.kind === 'one')
    return yield* changeFound(command, { ...recalled, item: yield* freshen(command, recalled.item, context) }, context);
  if (isPronoun(ref) && context.memory.said.length === 0 && context.memory.group.length < 2) return askForTask(command);
  const looked = yield* lookUpTasks(context);
  if ('error' in looked) return failed(command, looked);
  const several = findSeveral(ref, looked.tasks, context);
  if (several && command.missing === undefined)
    return several.isSure && !command.isGuess
      ? yield* planSeveral(command, several.tasks, context)
      : confirmSeveral(command, several.tasks, context);
  const found = yield* findTask(command, ref, { tasks: looked.tasks, context });
  if (found.kind === 'none') return isPronoun(ref) ? askForTask(command) : notFound(command, ref, context);
  if (found.kind === 'many') return askWhich(command, found.items, context);
  return yield* changeFound(command, found, context);
}

function* changeFound(
  command: ChangeCommand,
  { item, how }: { item: KnownTask; how: MatchKind },
  context: TaskContext,
): Work<Done> {
  if (command.missing === 'change') return askForChange({ ...command, targets: [item] });
  const idle = command.isGuess ? whyIdle(command, item, context) : undefined;
  if (idle !== undefined) return done({ ...command, targets: [item] }, idle);
  const { title } = command.slots;
  const isOdd = title !== undefined && isOddName(title);
  const unable = isOdd ? whyUnable(context.text) : undefined;
  if (unable !== undefined) return done(command, unable);
  if (title !== undefined && isNoName(title)) return leaveAlone(`rename '${item.title}' to 'another name'.`);
  const isWeak = command.isDoubted && how !== 'exact' && how !== 'position';
  const found = isWeak ? 'similar' : isOneThing(command, item, how) ? 'named' : foundBy(how);
  const verdict = decide(deedOf(command), found, { canUndo: canUndo(command, item, context) });
  if (verdict === 'ask') return askIfFound(command, item);
  return verdict === 'do' && !command.isGuess && !isOdd
    ? yield* changeTask(command, item, context)
    : yield* askIfMeant(command, item, context);
}

/** "deck" for "board deck": one word that only this title has, and no verb, is enough for a new time. */
function isOneThing(command: ChangeCommand, { title }: KnownTask, how: MatchKind): boolean {
  const [word, another] = contentStems(command.slots.ref ?? '');
  if (how !== 'partial' || deedOf(command) !== 'change' || another !== undefined) return false;
  return !(startsWithVerb(title) && toStems(title)[0] === word);
}

function deedOf({ action, slots }: ChangeCommand): Deed {
  if (action !== 'update') return action;
  return slots.title === undefined ? 'change' : 'rename';
}

function canUndo({ action }: ChangeCommand, task: KnownTask, context: TaskContext): boolean {
  return context.names.undo !== undefined || inverseOf({ action, task, before: task }, context) !== undefined;
}

/** Reads the task again: it may have changed since it was mentioned. */
function* freshen({ slots, shift }: ChangeCommand, task: KnownTask, context: TaskContext): Work<KnownTask> {
  const isPlain = slots.clear === undefined && slots.is_completed === undefined && shift === undefined;
  if (isPlain && slots.when === undefined) return task;
  const looked = yield* lookUpTasks(context);
  return 'error' in looked ? task : (looked.tasks.find(({ id }) => id === task.id) ?? task);
}

function* changeTask(open: ChangeCommand, task: KnownTask, context: TaskContext): Work<Done> {
  const plain = allowChange(open, [task], context);
  if (!plain) return yield* confirmOne(open, task, context);
  const command = { ...plain, targets: [task] };
  if (command.action === 'update' && command.missing === 'change') return askForChange(command);
  const idle = whyIdle(command, task, context);
  if (idle !== undefined) return done(command, idle);
  const args = changeArguments(command, task, context.zone);
  if (args === undefined) return askForChange(command);
  const outcome = yield* callOne({ name: context.names[command.action] ?? '', arguments: args });
  if ('error' in outcome) return failed(command, outcome);
  const changed = readTask(outcome.result) ?? task;
  if (context.list) context.list.tasks = applyChange(context.list.tasks, command, changed);
  return done(command, describeTakenBack(command, changed) ?? replyAbout(command.action, changed, context));
}

function applyChange(tasks: readonly KnownTask[], { action }: ChangeCommand, changed: KnownTask): KnownTask[] {
  if (action === 'delete') return tasks.filter((task) => task.id !== changed.id);
  return tasks.map((task) => (task.id === changed.id ? changed : task));
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

function askWhich(command: ChangeCommand, tasks: readonly KnownTask[], { zone }: TaskContext): Done {
  const named = nameTasks(tasks.slice(0, MAX_NAMED), 'or', zone);
  const more = tasks.length > MAX_NAMED ? ` (and ${tasks.length - MAX_NAMED} more)` : '';
  return ask(command, `Which task did you mean: ${named}${more}?`, { kind: 'choose', command, candidates: [...tasks] });
}

function* askIfMeant(command: ChangeCommand, task: KnownTask, context: TaskContext): Work<Done> {
  const plain = allowGuess(command, task, context);
  if (plain) return yield* changeTask(plain, task, context);
  if (ordersNothing(command, context)) return leaveAlone(`${describeChange(command, task)}.`);
  return ask(command, `Shall I ${describeChange(command, task)}?`, { kind: 'confirm', command, candidates: [task] });
}

/** The words may mean something else altogether: only the task is asked for, and nothing is proposed. */
function askIfFound(command: ChangeCommand, task: KnownTask): Done {
  const question = `I couldn't find a task called '${command.slots.ref}'. Did you mean '${task.title}'?`;
  return ask(command, question, { kind: 'choose', command, candidates: [task] });
}

function notFound(command: ChangeCommand, ref: string, context: TaskContext): Done {
  if (command.missing === 'change') {
    const question = `I couldn't find a task matching '${ref}'. Which task should I change?`;
    return ask(command, question, { kind: 'fill', command, missing: 'ref' });
  }
  const cut = context.list?.cut ? ' I could only look at your newest tasks.' : '';
  const hint = context.list?.tasks.length === 0 ? "You don't have any tasks yet." : 'Say "show my tasks" to see them.';
  return done(command, `I couldn't find a task matching '${ref}'.${cut} ${hint}`);
}
