import { createHash } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { AppError, invalidRequest } from '../errors.ts';
import { DUE_TASKS } from '../kinds/tasks.ts';
import { entriesThatBring } from '../kinds/tool-kinds.ts';
import type { Agent, ToolEntry } from '../schema/agent.ts';
import type { ToolCall } from '../schema/conversation/tool-call.ts';
import type { JsonObject } from '../schema/json.ts';
import { type DueTasks, Task, type TaskChange } from '../schema/task.ts';
import type { User } from '../schema/user.ts';
import { type OfferedTool, offerTools } from '../tools/offer.ts';
import type { ReadyAgent } from './agents/ready-agent.ts';
import { type OutsideDeps, runOutside } from './outside-call.ts';

export interface ChangeTaskInput {
  agent: string;
  taskId: string;
  change: TaskChange;
  /** The same change under one key is made once. */
  key?: string;
  signal: AbortSignal;
}

/** All tasks of a user, by due date. Throws `not_found` for an agent without the built-in task server. */
export async function listTasks(
  deps: OutsideDeps,
  user: User,
  { agent, signal }: { agent: string; signal: AbortSignal },
): Promise<Task[]> {
  const ready = deps.findAgent(agent);
  const tools = await findTaskTools(ready, user, signal);
  const call = newCall(tools, 'list_tasks', { id: deps.ids.ulid(), arguments: { filter: 'all' } });
  const ended = await runOutside(deps, user, { ready, tools, call, signal, approval: 'the user made the change' });
  return Task.array().parse(resultOf(ended));
}

/**
 * Changes a task by its tool, without a model and outside a conversation. The user's own request is the approval of a
 * tool that needs one. Returns the changed task; undefined when it was deleted.
 */
export async function changeTask(deps: OutsideDeps, user: User, input: ChangeTaskInput): Promise<Task | undefined> {
  const { agent, taskId, change, key, signal } = input;
  const ready = deps.findAgent(agent);
  const tools = await findTaskTools(ready, user, signal);
  const id = key === undefined ? deps.ids.ulid() : `key_${createHash('sha256').update(key).digest('hex')}`;
  const { name, values } = toolFor(change);
  const call = newCall(tools, name, { id, arguments: { task_id: taskId, ...values } });
  const ended = await runOutside(deps, user, { ready, tools, call, signal, approval: 'the user made the change' });
  const result = resultOf(ended);
  return result === null ? undefined : Task.parse(result);
}

function toolFor({ deleted, due_date, title, is_completed }: TaskChange): { name: string; values: JsonObject } {
  if (deleted) return { name: 'delete_task', values: {} };
  const values: JsonObject = {
    ...(title !== undefined && { title }),
    ...(is_completed !== undefined && { is_completed }),
    ...(due_date === null && { clear: ['due_date'] }),
    ...(due_date && { due_date }),
  };
  return { name: 'update_task', values };
}

type TaskTools = ReadonlyMap<string, OfferedTool>;

/** The offered tools of the agent's built-in task server. */
async function findTaskTools(ready: ReadyAgent, user: User, signal: AbortSignal): Promise<TaskTools> {
  const entry = findTaskEntry(ready.agent);
  if (!entry) throw new AppError('not_found', { detail: 'This agent has no built-in task list.' });
  // The other servers of the agent may still be starting.
  const source = ready.sources.find(({ name }) => name === entry.name);
  return offerTools((await source?.tools(user, { signal })) ?? []).offered;
}

function findTaskEntry(agent: Agent): ToolEntry | undefined {
  return entriesThatBring(agent, 'tasks')[0];
}

function newCall(tools: TaskTools, wanted: string, parts: { id: string; arguments: JsonObject }): ToolCall {
  const found = [...tools].find(([, { tool }]) => (tool.serverName ?? tool.name) === wanted);
  if (!found) throw new AppError('not_found', { detail: `The tool ${wanted} is not allowed for this agent.` });
  return { ...parts, name: found[0], state: 'pending' };
}

function resultOf({ state, result, error }: ToolCall): unknown {
  if (state === 'completed') return result;
  const detail = error?.message ?? 'The change was not made.';
  if (error?.error_type === 'TaskNotFound') throw new AppError('not_found', { detail });
  if (error?.error_type === 'ValidationError') throw invalidRequest([{ path: '', message: detail }]);
  throw new AppError('tool_unavailable', { detail });
}

export interface ReminderInput {
  agent: string;
  /** The `until` of the front's last request; without it, everything since the user's last visit. */
  after?: string | undefined;
}

/** The tasks whose time has come. Undefined for an agent without a readable built-in task list. */
export async function takeReminders(
  { clock, findAgent }: { clock: Clock; findAgent(name: string): ReadyAgent },
  user: User,
  { agent, after }: ReminderInput,
): Promise<DueTasks | undefined> {
  const ready = findAgent(agent);
  const entry = findTaskEntry(ready.agent);
  if (!entry || (entry.allow && !entry.allow.includes('list_tasks'))) return undefined;
  return ready.find(DUE_TASKS)?.(user, { after, until: clock.date().toISOString() });
}
