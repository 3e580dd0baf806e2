import * as z from 'zod';
import { AppError } from '../errors.ts';
import { Uuid } from '../schema/ids.ts';
import type { Json, JsonObject } from '../schema/json.ts';
import { DueDate, Task, TaskFilter, TaskTitle, Undone } from '../schema/task.ts';
import type { Tool, ToolContext, ToolOutcome } from '../tools/tool.ts';
import { DUE_RANGE_PATTERN, parseDueRange } from './due-range.ts';
import type { TaskCall, TaskStore } from './task-store.ts';

const user_id = Uuid.describe('The user whose tasks these are');
const task_id = Uuid.describe('The task, by the id that list_tasks shows');
const title = TaskTitle.describe('What is to be done, in a few words');
const description = z.string().max(10_000).describe('More about it');
const due_date = DueDate.describe(
  'A date such as 2026-11-16, or an instant with its offset such as 2026-11-16T15:00:00+01:00',
);
const due = z
  .string()
  .regex(new RegExp(DUE_RANGE_PATTERN), 'must be a day, week, month or year, or two of these with a slash between')
  .describe(
    'Only tasks due then: a day (2026-11-16), week (2026-W47), month (2026-11) or year, or a range (2026-11-16/2026-11-22; an end may be open: ../2026-11-15)',
  );

const AddTask = z.strictObject({ user_id, title, description: description.optional(), due_date: due_date.optional() });
const ListTasks = z.strictObject({
  user_id,
  filter: TaskFilter.default('all').describe('Which tasks'),
  due: due.optional(),
  search: z.string().trim().min(1).max(500).optional().describe('Only tasks whose title holds this text'),
});
const OneTask = z.strictObject({ user_id, task_id });
const UpdateTask = z
  .strictObject({
    user_id,
    task_id,
    title: title.optional(),
    description: description.optional(),
    due_date: due_date.optional(),
    is_completed: z.boolean().optional().describe('false opens a completed task again'),
    clear: z
      .array(z.enum(['description', 'due_date']))
      .min(1)
      .optional()
      .describe('What to take away from the task'),
  })
  .refine(({ user_id: _, task_id: __, ...change }) => Object.values(change).some((value) => value !== undefined), {
    message: 'nothing to change: give a title, a description, a due date, is_completed or clear',
  })
  .refine(({ clear = [], ...args }) => clear.every((field) => args[field] === undefined), {
    message: 'a field cannot be cleared and set at the same time',
    path: ['clear'],
  });

const UndoChange = z.strictObject({
  user_id,
  batch: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      'The turn or call to undo, as an earlier undo_change named it; absent: the last one of this conversation',
    ),
});

export interface TaskToolsOptions {
  /** The `tools` entry that these belong to. */
  source?: string;
  /** Whether calls carry an id, which identifies a repeated call. Other clients send none. */
  isKeyed?: boolean;
  /** Whether the caller's `user_id` argument is the only source of the user (a server in its own process). */
  anyUser?: boolean;
}

interface TaskTool<T> {
  name: string;
  description: string;
  schema: z.ZodType<T>;
  result: z.ZodType;
  readOnly?: boolean;
  /** The same arguments make another change each time, unless the call's id is known. */
  addsEachTime?: boolean;
  run(args: T, call: TaskCall): Promise<ToolOutcome>;
}

/** The six tools over a task store. Every failure is returned as a typed error; nothing is thrown. */
export function createTaskTools(
  store: TaskStore,
  { source = 'tasks', anyUser = false, isKeyed = true }: TaskToolsOptions = {},
): Tool[] {
  const toTool = <T extends { user_id: string }>(tool: TaskTool<T>): Tool => ({
    name: tool.name,
    description: tool.description,
    inputSchema: toJsonSchema(tool.schema, 'input'),
    outputSchema: toJsonSchema(tool.result, 'output'),
    readOnly: tool.readOnly ?? false,
    idempotent: isKeyed || !tool.addsEachTime,
    source,
    run: (args, context) => runTaskTool(tool, args, { context, anyUser }),
  });
  return [
    toTool(addTask(store)),
    toTool(listTasks(store)),
    toTool(completeTask(store)),
    toTool(updateTask(store)),
    toTool(deleteTask(store)),
    toTool(undoChange(store)),
  ];
}

/** The schema for models and other clients: formats by name, without the long patterns that we check ourselves. */
function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === task_id || zodSchema === user_id) jsonSchema.format = 'uuid';
      if (jsonSchema.format) delete jsonSchema.pattern;
    },
  });
  // z.toJSONSchema returns plain JSON; its own type is wider.
  return json as JsonObject;
}

async function runTaskTool<T extends { user_id: string }>(
  tool: TaskTool<T>,
  args: JsonObject,
  { context, anyUser }: { context: ToolContext; anyUser: boolean },
): Promise<ToolOutcome> {
  const parsed = tool.schema.safeParse(args);
  if (!parsed.success) return validationError(parsed.error);
  if (!anyUser && parsed.data.user_id !== context.user.id) {
    return { error: { error_type: 'UnauthorizedError', message: 'These tasks belong to another user.' } };
  }
  try {
    const { callId, turnId, conversationId } = context;
    return await tool.run(parsed.data, { callId, turnId, conversationId });
  } catch (error) {
    return storeError(error);
  }
}

function addTask(store: TaskStore): TaskTool<z.infer<typeof AddTask>> {
  return {
    name: 'add_task',
    description: 'Create a new task',
    schema: AddTask,
    result: Task,
    addsEachTime: true,
    run: async ({ user_id: owner, ...task }, call) => found(await store.addTask(owner, task, call)),
  };
}

function listTasks(store: TaskStore): TaskTool<z.infer<typeof ListTasks>> {
  return {
    name: 'list_tasks',
    description:
      'Show the tasks by due date, then newest first: all, only the pending or only the completed ones, or those due in a certain time',
    schema: ListTasks,
    result: z.array(Task),
    readOnly: true,
    run: async ({ user_id: owner, filter, due: days, search }) => {
      const range = days === undefined ? undefined : parseDueRange(days);
      return found(await store.listTasks(owner, { filter, due: range, search }));
    },
  };
}

function completeTask(store: TaskStore): TaskTool<z.infer<typeof OneTask>> {
  return {
    name: 'complete_task',
    description: 'Mark a task as completed',
    schema: OneTask,
    result: Task,
    run: async (args, call) => found(await store.completeTask(args.user_id, args.task_id, call), args.task_id),
  };
}

function updateTask(store: TaskStore): TaskTool<z.infer<typeof UpdateTask>> {
  return {
    name: 'update_task',
    description: 'Change the title, the description or the due date of a task, or open it again',
    schema: UpdateTask,
    result: Task,
    run: async ({ user_id: owner, task_id: id, ...change }, call) =>
      found(await store.updateTask(owner, id, change, call), id),
  };
}

function deleteTask(store: TaskStore): TaskTool<z.infer<typeof OneTask>> {
  return {
    name: 'delete_task',
    description: 'Remove a task from the list; undo_change can bring it back',
    schema: OneTask,
    result: z.null(),
    run: async (args, call) => {
      const deleted = await store.deleteTask(args.user_id, args.task_id, call);
      return found(deleted ? null : undefined, args.task_id);
    },
  };
}

function undoChange(store: TaskStore): TaskTool<z.infer<typeof UndoChange>> {
  return {
    name: 'undo_change',
    description:
      'Take back the last change of the tasks as one step: everything that one turn added, changed, completed or deleted. Called again in a later turn, it brings the change back',
    schema: UndoChange,
    result: Undone,
    addsEachTime: true,
    run: async ({ user_id: owner, batch }, call) => {
      const answer = await store.undo(owner, { batch }, call);
      if (!answer) return { error: { error_type: 'TaskNotFound', message: 'There is no change to undo.' } };
      // The answer is plain JSON; only its absent fields make its type differ.
      return 'changedSince' in answer ? changedSince(answer.changedSince) : { result: answer as Json };
    },
  };
}

function changedSince(tasks: readonly Task[]): ToolOutcome {
  const names = tasks.map(({ title }) => `'${title}'`).join(', ');
  const message = `Nothing was undone: ${names} changed since then.`;
  return { error: { error_type: 'ValidationError', message, details: tasks.map(({ id, title }) => ({ id, title })) } };
}

function found(answer: Task | Task[] | null | undefined, taskId?: string): ToolOutcome {
  // A task is plain JSON; only its absent fields make its type differ.
  if (answer !== undefined) return { result: answer as Json };
  const details = taskId === undefined ? {} : { details: { task_id: taskId } };
  return { error: { error_type: 'TaskNotFound', message: 'There is no such task.', ...details } };
}

function validationError(error: z.ZodError): ToolOutcome {
  const problems = error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
  const message = problems.map(({ path, message }) => (path ? `${path} ${message}` : message)).join('; ');
  return { error: { error_type: 'ValidationError', message, details: problems } };
}

function storeError(error: unknown): ToolOutcome {
  if (error instanceof AppError && error.code === 'idempotency_mismatch') {
    return { error: { error_type: 'ValidationError', message: error.message } };
  }
  return { error: { error_type: 'DatabaseError', message: 'The task store could not be reached. Please try again.' } };
}
