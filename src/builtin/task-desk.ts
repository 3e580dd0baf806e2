import type { IntentConfig } from '../schema/agent.ts';
import type { Intent } from '../schema/intent.ts';

import type { Failure, Outcome } from './conversation.ts';
import { describeFailure } from './describe-result.ts';
import type { Action, Frame, Shift, Slots } from './frame.ts';
import type { PlannedCall } from './plan.ts';
import { describeDue, fillTemplate } from './reply.ts';
import { isPronoun } from './resolve-reference.ts';
import { type KnownTask, readTasks, type TaskMemory } from './task-memory.ts';
import { INTENT_NAMES, type TaskAction, type TaskToolNames } from './task-tools.ts';
import type { Zone } from './zoned-time.ts';

/** One thing that the user asked for. */
export interface Command {
  action: Action;
  confidence: number;
  slots: Slots;
  missing?: Frame['missing'] | undefined;
  isList?: boolean | undefined;
  shift?: Shift | undefined;
  /** The tasks that it is about, once that is settled by an answer. */
  targets?: KnownTask[];
}

/** A question that the next message may answer. */
export type Pending =
  | { kind: 'choose'; command: Command; candidates: KnownTask[] }
  | { kind: 'confirm'; command: Command; candidates: KnownTask[] }
  | { kind: 'fill'; command: Command; missing: 'title' | 'ref' | 'change' }
  | { kind: 'offer'; command: Command };

/** What became of one command. */
export interface Done {
  text: string;
  intent: Intent;
  pending?: Pending;
}

export type Work<T> = Generator<PlannedCall[], T, Outcome[]>;

/** What the plans of one turn work with. `list` is filled by the first look and kept for the turn. */
export interface Desk {
  zone: Zone;
  names: TaskToolNames;
  intents: Readonly<Record<string, IntentConfig>>;
  memory: TaskMemory;
  /** What the tool that changes a task takes. */
  changeable: ReadonlySet<string>;
  list?: { tasks: KnownTask[]; cut: boolean };
}

/** All tasks, looked up once a turn. */
export function* lookUpTasks(desk: Desk): Work<{ tasks: KnownTask[] } | Failure> {
  if (!desk.list) {
    const outcome = yield* callOne({ name: desk.names.list ?? '', arguments: { filter: 'all' } });
    if ('error' in outcome) return outcome;
    desk.list = { tasks: readTasks(outcome.result), cut: outcome.cut === true };
  }
  return { tasks: desk.list.tasks };
}

/** The tasks that hold the longest word of a reference. */
export function* searchTasks(desk: Desk, ref: string): Work<KnownTask[]> {
  const [word = ref] = ref.split(/\s+/).sort((a, b) => b.length - a.length);
  const outcome = yield* callOne({ name: desk.names.list ?? '', arguments: { filter: 'all', search: word } });
  return 'error' in outcome ? [] : readTasks(outcome.result);
}

export function* callOne(call: PlannedCall): Work<Outcome> {
  const [outcome] = yield [call];
  return outcome ?? { error: { error_type: 'ToolInvocationError', message: 'The tool gave no answer.' } };
}

export function done(command: Command, text: string): Done {
  return { text, intent: toIntent(command) };
}

/** A question instead of an action. An unclear command is named as such; a confirmation, or an "it" that means nothing yet, keeps its name. */
export function ask(command: Command, question: string, pending: Pending): Done {
  const isClear = pending.kind === 'confirm' || command.isList === true || isLooseEnd(command, pending);
  const name = isClear ? {} : { name: 'clarification_needed' };
  return { text: question, intent: { ...toIntent(command), ...name, clarification_question: question }, pending };
}

function isLooseEnd({ missing, slots }: Command, pending: Pending): boolean {
  return pending.kind === 'fill' && missing === undefined && isPronoun(slots.ref ?? '');
}

export function failed(command: Command, failure: Failure): Done {
  const isMissing = failure.error.error_type === 'TaskNotFound';
  const reason = isMissing ? "I couldn't find that task." : describeFailure(failure);
  return done(command, /[.!?]$/.test(reason) ? reason : `${reason}.`);
}

function toIntent({ action, confidence, slots, targets }: Command): Intent {
  const name = action === 'undo' ? 'unknown' : INTENT_NAMES[action];
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

/** What is said about a task that a tool has returned. */
export function replyAbout(action: Exclude<TaskAction, 'list'>, task: KnownTask, { intents, zone }: Desk): string {
  const template = intents[INTENT_NAMES[action]]?.reply ?? REPLIES[action];
  const due = task.due_date === undefined ? undefined : describeDue(task.due_date, zone);
  return fillTemplate(template, { title: task.title, description: task.description, due_date: due });
}
