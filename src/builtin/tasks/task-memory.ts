import type { Json } from '../../schema/json.ts';
import type { CallRecord, TurnView } from '../conversation.ts';
import { type KnownTask, orderTasks, readTask, readTasks, type TaskChange } from './known-task.ts';
import { readUndone } from './read-undone.ts';
import type { TaskAction, TaskToolNames } from './task-tools.ts';

/** Facts about tasks from the conversation so far. */
export interface TaskMemory {
  /** The meaning of "it": absent when the last turn about tasks was about several. */
  last?: KnownTask;
  /** The meaning of "them": the tasks of the last turn that was about several. */
  group: KnownTask[];
  /** True if the turn just before was about `last` alone. */
  isLastFresh: boolean;
  /** The list that was shown last, in its order. */
  shown: KnownTask[];
  /** True if no task was added or deleted since the list was shown. */
  isShownFresh: boolean;
  /** Every task that the conversation has mentioned and that was not deleted, oldest first. */
  known: KnownTask[];
  /** The changes of the last turn that changed anything. */
  changes: TaskChange[];
  /** True if the changes were made in the turn just before. */
  isJustChanged: boolean;
  /** True if every turn since the changes was an answer: nothing was asked, refused or left undone. */
  isQuietSince: boolean;
  /** True if the changes took an earlier change back. */
  isTakenBack: boolean;
  /** The task that was deleted last and not brought back. */
  deleted?: KnownTask;
  /** The last texts, newest first, of a conversation that holds texts alone: they show what "it" means. */
  said: string[];
  /** Every reply so far: some things are said once in a conversation. */
  replies: string[];
}

export function emptyMemory(): TaskMemory {
  return {
    group: [],
    isLastFresh: false,
    shown: [],
    isShownFresh: false,
    known: [],
    changes: [],
    isJustChanged: false,
    isQuietSince: true,
    isTakenBack: false,
    said: [],
    replies: [],
  };
}

/** How many earlier turns "it" may reach back over texts alone. */
const SAID_TURNS = 3;

export function recallTasks(turns: readonly TurnView[], names: TaskToolNames): TaskMemory {
  const actions = new Map(Object.entries(names).map(([action, name]) => [name, action as TaskAction | 'undo']));
  const known = new Map<string, KnownTask>();
  const hasCalls = turns.some(({ records }) => records.length > 0);
  const newest = hasCalls ? [] : turns.slice(-SAID_TURNS).toReversed();
  const said = newest.flatMap(({ reply, message }) => [...(reply === undefined ? [] : [reply]), message.content]);
  const replies = turns.flatMap(({ reply }) => reply ?? []);
  let memory: TaskMemory = { ...emptyMemory(), said, replies };
  for (const turn of turns) memory = recallTurn(memory, turn, { actions, known });
  return { ...memory, known: [...known.values()] };
}

/** Answers that leave no doubt about what was changed last. */
const QUIET = /^(?:You |You're welcome|Nothing is|Hello|Here are|')/;

function isQuiet({ reply = '' }: TurnView): boolean {
  return QUIET.test(reply) && !/\?(?: \(yes or no\))?$/.test(reply);
}

interface Recall {
  actions: ReadonlyMap<string, TaskAction | 'undo'>;
  known: Map<string, KnownTask>;
}

function recallTurn(memory: TaskMemory, turn: TurnView, { actions, known }: Recall): TaskMemory {
  const next: TaskMemory = {
    ...memory,
    isJustChanged: false,
    isLastFresh: false,
    isQuietSince: memory.isQuietSince && isQuiet(turn),
  };
  const changes: TaskChange[] = [];
  let isTakenBack = false;
  for (const record of turn.records) {
    const action = actions.get(record.name);
    if (action === undefined || 'error' in record.outcome) continue;
    if (action === 'list') recallList(next, turn, { record, known });
    else if (action === 'undo') isTakenBack = true;
    changes.push(...(action === 'list' ? [] : changesOf(action, record, known)));
  }
  if (changes.length === 0) return recallMention(next, turn, known);
  const deleted = changes.findLast(({ action }) => action === 'delete')?.task;
  const { last: _, deleted: __, ...rest } = next;
  const [only, another] = changes.filter(({ action }) => action !== 'delete');
  const gone = new Set(changes.filter(({ action }) => action === 'delete').map(({ task }) => task.id));
  const last = only && !another ? only.task : only || gone.has(next.last?.id ?? '') ? undefined : next.last;
  const group = changes.filter(({ action }) => action !== 'delete').map(({ task }) => task);
  return {
    ...rest,
    group,
    ...(last && { last, isLastFresh: last === only?.task }),
    ...(deleted && { deleted }),
    isShownFresh: next.isShownFresh && changes.every(({ action }) => action === 'complete' || action === 'update'),
    changes,
    isJustChanged: true,
    isQuietSince: true,
    isTakenBack,
  };
}

/** A reply that quotes one task's title was about that task. */
function recallMention(
  memory: TaskMemory,
  { reply = '' }: TurnView,
  known: ReadonlyMap<string, KnownTask>,
): TaskMemory {
  if (memory.isLastFresh) return memory;
  const [task, another] = [...known.values()].filter(({ title }) => reply.includes(`'${title}'`));
  return task && !another ? { ...memory, last: task, isLastFresh: true } : memory;
}

function recallList(
  memory: TaskMemory,
  turn: TurnView,
  { record, known }: { record: CallRecord; known: Map<string, KnownTask> },
): void {
  const tasks = 'result' in record.outcome ? readTasks(record.outcome.result) : [];
  for (const task of tasks) known.set(task.id, task);
  const [first, another] = orderTasks(tasks);
  if (!first || !turn.reply?.includes(`1. ${first.title}`)) return;
  memory.shown = orderTasks(tasks);
  memory.isShownFresh = true;
  memory.group = memory.shown;
  memory.isLastFresh = !another;
  if (!another) memory.last = first;
  else delete memory.last;
}

function changesOf(
  action: Exclude<TaskAction, 'list'> | 'undo',
  record: CallRecord,
  known: Map<string, KnownTask>,
): TaskChange[] {
  const result = 'result' in record.outcome ? record.outcome.result : null;
  const changes = action === 'undo' ? readUndone(result) : oneChange(action, record, { result, known });
  for (const change of changes) {
    if (change.action === 'delete') known.delete(change.task.id);
    else known.set(change.task.id, change.task);
  }
  return changes;
}

function oneChange(
  action: Exclude<TaskAction, 'list'>,
  record: CallRecord,
  { result, known }: { result: Json; known: ReadonlyMap<string, KnownTask> },
): TaskChange[] {
  const told = readTask(result);
  const before = known.get(told?.id ?? String(record.arguments.task_id ?? ''));
  const task = told ?? before;
  return task ? [{ action, task, ...(before && { before }) }] : [];
}
