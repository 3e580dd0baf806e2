import type { Zone } from '../../language/zoned-time.ts';
import type { IntentConfig } from '../../schema/agent.ts';
import type { Intent } from '../../schema/domain.ts';
import type { Failure, Outcome } from '../conversation.ts';
import type { PlannedCall } from '../plan.ts';
import type { Reading } from '../reader/reading.ts';
import { describeDue, fillTemplate } from '../reply.ts';
import { describeFailure } from '../tools/describe-result.ts';
import type { Command, Done, Pending } from './command.ts';
import { type KnownTask, readTasks } from './known-task.ts';
import type { TaskMemory } from './task-memory.ts';
import { INTENT_NAMES, type TaskAction, type TaskToolNames } from './task-tools.ts';

export type Work<T> = Generator<PlannedCall[], T, Outcome[]>;

/** Shared data of the plans of a turn. `list` is filled by the first lookup and kept for the turn. */
export interface TaskContext {
  /** The message of this turn. */
  text: string;
  reading?: Reading | undefined;
  zone: Zone;
  names: TaskToolNames;
  intents: Readonly<Record<string, IntentConfig>>;
  memory: TaskMemory;
  /** The arguments that the changing tool accepts. */
  changeable: ReadonlySet<string>;
  list?: { tasks: KnownTask[]; cut: boolean };
}

/** All tasks, looked up once a turn. */
export function* lookUpTasks(context: TaskContext): Work<{ tasks: KnownTask[] } | Failure> {
  if (!context.list) {
    const outcome = yield* callOne({ name: context.names.list ?? '', arguments: { filter: 'all' } });
    if ('error' in outcome) return outcome;
    context.list = { tasks: readTasks(outcome.result), cut: outcome.cut === true };
  }
  return { tasks: context.list.tasks };
}

/** All tasks, or those that the conversation knows of where they cannot be looked up. */
export function* tasksOf(context: TaskContext): Work<readonly KnownTask[]> {
  const looked = yield* lookUpTasks(context);
  return 'error' in looked ? context.memory.known : looked.tasks;
}

/** The tasks that hold the longest word of a reference, beside those of a list that was cut. */
export function* searchTasks(context: TaskContext, ref: string): Work<KnownTask[]> {
  const [word = ref] = ref.split(/\s+/).sort((a, b) => b.length - a.length);
  const outcome = yield* callOne({ name: context.names.list ?? '', arguments: { filter: 'all', search: word } });
  return 'error' in outcome ? [] : readTasks(outcome.result);
}

export function* callOne(call: PlannedCall): Work<Outcome> {
  const [outcome] = yield [call];
  return outcome ?? { error: { error_type: 'ToolInvocationError', message: 'The tool gave no answer.' } };
}

export function done(command: Command, text: string): Done {
  return { text, intent: toIntent(command) };
}

/** A question instead of an action. Only a yes or no about one clear change keeps the name of its intent. */
export function ask(command: Command, question: string, pending: Pending, isClear = pending.kind === 'confirm'): Done {
  const name = isClear || command.isList === true ? {} : { name: 'clarification_needed' };
  const intent = { ...toIntent(command), ...name, clarification_question: question };
  const choices = choicesOf(pending);
  return { text: question, intent: choices.length > 0 ? { ...intent, choices } : intent, pending };
}

/** Short answers that settle a question. Titles that occur twice cannot be chosen by name. */
function choicesOf(pending: Pending): string[] {
  if (pending.kind === 'confirm') return ['yes', 'no'];
  if (pending.kind !== 'choose') return [];
  const titles = pending.candidates.slice(0, 3).map(({ title }) => title);
  return new Set(titles).size === titles.length ? titles : [];
}

/** Nothing is changed or asked; the answer says how to word what was nearly understood. */
export function leaveAlone(nearly: string): Done {
  const text = `I've left your tasks as they are. If you want me to, say: ${nearly}`;
  return { text, intent: { name: 'unknown', confidence: 0.5, parameters: {} } };
}

export function failed(command: Command, failure: Failure): Done {
  const isMissing = failure.error.error_type === 'TaskNotFound';
  const reason = isMissing ? "I couldn't find that task." : describeFailure(failure);
  return done(command, /[.!?]$/.test(reason) ? reason : `${reason}.`);
}

function toIntent({ action, confidence, slots, targets }: Command): Intent {
  const name = action === 'undo' || action === 'dismiss' || action === 'restore' ? 'unknown' : INTENT_NAMES[action];
  const [task, another] = targets ?? [];
  const found = task && !another ? { task_id: task.id } : {};
  return { name, confidence: Math.round(confidence * 100) / 100, parameters: { ...slots, ...found } };
}

const REPLIES: Readonly<Record<Exclude<TaskAction, 'list'>, string>> = {
  create: "I've added '{title}' to your tasks[, due {due_date}].",
  complete: "Great! I've marked '{title}' as done.",
  delete: "I've deleted '{title}'.",
  update: "I've updated '{title}'[, due {due_date}].",
};

/** The reply about a task that a tool has returned. */
export function replyAbout(
  action: Exclude<TaskAction, 'list'>,
  task: KnownTask,
  { intents, zone }: TaskContext,
): string {
  const template = intents[INTENT_NAMES[action]]?.reply ?? REPLIES[action];
  const due = task.due_date === undefined ? undefined : describeDue(task.due_date, zone);
  return fillTemplate(template, { title: task.title, description: task.description, due_date: due });
}
