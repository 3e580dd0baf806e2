import { isObject, type Json } from '../schema/json.ts';
import type { CallRecord, TurnView } from './conversation.ts';
import type { TaskAction, TaskToolNames } from './task-tools.ts';

/** A task as far as a tool has told of it. */
export interface KnownTask {
  id: string;
  title: string;
  description?: string;
  due_date?: string;
  is_completed: boolean;
}

export interface TaskChange {
  action: Exclude<TaskAction, 'list'>;
  task: KnownTask;
  /** As it was, where that is known. */
  before?: KnownTask;
}

/** What the conversation so far tells about tasks. */
export interface TaskMemory {
  /** What "it" means. */
  last?: KnownTask;
  /** The list that was shown last, in its order. */
  shown: KnownTask[];
  /** What the last turn that changed anything changed. */
  changes: TaskChange[];
  /** The last texts, newest first, of a conversation that holds texts alone: they show what "it" means. */
  said: string[];
}

/** How many earlier turns "it" may reach back over texts alone. */
const SAID_TURNS = 3;

export function recallTasks(turns: readonly TurnView[], names: TaskToolNames): TaskMemory {
  const actions = new Map(Object.entries(names).map(([action, name]) => [name, action as TaskAction]));
  const known = new Map<string, KnownTask>();
  const hasCalls = turns.some(({ records }) => records.length > 0);
  const newest = hasCalls ? [] : turns.slice(-SAID_TURNS).toReversed();
  const said = newest.flatMap(({ reply, message }) => [...(reply === undefined ? [] : [reply]), message.content]);
  let memory: TaskMemory = { shown: [], changes: [], said };
  for (const turn of turns) memory = recallTurn(memory, turn, { actions, known });
  return memory;
}

interface Recall {
  actions: ReadonlyMap<string, TaskAction>;
  known: Map<string, KnownTask>;
}

function recallTurn(memory: TaskMemory, turn: TurnView, { actions, known }: Recall): TaskMemory {
  const next = { ...memory };
  const changes: TaskChange[] = [];
  for (const record of turn.records) {
    const action = actions.get(record.name);
    if (action === undefined || 'error' in record.outcome) continue;
    if (action === 'list') recallList(next, turn, { record, known });
    else recallChange(next, { action, record, known, changes });
  }
  if (changes.length > 0) next.changes = changes;
  return next;
}

function recallList(
  memory: TaskMemory,
  turn: TurnView,
  { record, known }: { record: CallRecord; known: Map<string, KnownTask> },
): void {
  const tasks = 'result' in record.outcome ? readTasks(record.outcome.result) : [];
  for (const task of tasks) known.set(task.id, task);
  const [first] = tasks;
  if (!first || !turn.reply?.includes(`1. ${first.title}`)) return;
  memory.shown = tasks;
  if (tasks.length === 1) memory.last = first;
}

interface ChangeRecall {
  action: Exclude<TaskAction, 'list'>;
  record: CallRecord;
  known: Map<string, KnownTask>;
  changes: TaskChange[];
}

function recallChange(memory: TaskMemory, { action, record, known, changes }: ChangeRecall): void {
  const id = String(record.arguments.task_id ?? '');
  const told = 'result' in record.outcome ? readTask(record.outcome.result) : undefined;
  const before = known.get(told?.id ?? id);
  const task = told ?? before;
  if (!task) return;
  changes.push({ action, task, ...(before && { before }) });
  if (action === 'delete') {
    known.delete(task.id);
    if (memory.last?.id === task.id) delete memory.last;
    return;
  }
  known.set(task.id, task);
  memory.last = task;
}

export function readTasks(result: Json): KnownTask[] {
  const items = Array.isArray(result) ? result : isObject(result) && Array.isArray(result.tasks) ? result.tasks : [];
  return items.flatMap((item) => readTask(item) ?? []);
}

export function readTask(value: Json): KnownTask | undefined {
  if (!isObject(value) || typeof value.id !== 'string' || typeof value.title !== 'string') return undefined;
  return {
    id: value.id,
    title: value.title,
    is_completed: value.is_completed === true,
    ...(typeof value.description === 'string' && { description: value.description }),
    ...(typeof value.due_date === 'string' && { due_date: value.due_date }),
  };
}
