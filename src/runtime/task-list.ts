import { createHash } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { AppError, invalidRequest } from '../errors.ts';
import type { Ids } from '../ids.ts';
import type { Agent, McpTool } from '../schema/agent.ts';
import type { ToolCall } from '../schema/conversation/tool-call.ts';
import type { JsonObject } from '../schema/json.ts';
import { Task, type TaskChange } from '../schema/task.ts';
import type { User } from '../schema/user.ts';
import type { AuditRecord, Store } from '../store/store.ts';
import type { OfferedTool } from '../tools/offer.ts';
import { prepareCall } from '../tools/prepare-call.ts';
import { runCall } from '../tools/run-call.ts';
import type { ReadyAgent } from './agents/ready-agent.ts';
import { auditOf } from './audit.ts';

interface TaskDeps {
  store: Store;
  clock: Clock;
  ids: Ids;
  findAgent(name: string): ReadyAgent;
}

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
  deps: TaskDeps,
  user: User,
  { agent, signal }: { agent: string; signal: AbortSignal },
): Promise<Task[]> {
  const ready = deps.findAgent(agent);
  const tools = await findTaskTools(ready, user, signal);
  const call = newCall(tools, 'list_tasks', { id: deps.ids.ulid(), arguments: { filter: 'all' } });
  const ended = await runTool(deps, user, { ready, tools, call, signal });
  return Task.array().parse(resultOf(ended));
}

/**
 * Changes a task by its tool, without a model and outside a conversation. The user's own request is the approval of a
 * tool that needs one. Returns the changed task; undefined when it was deleted.
 */
export async function changeTask(deps: TaskDeps, user: User, input: ChangeTaskInput): Promise<Task | undefined> {
  const { agent, taskId, change, key, signal } = input;
  const ready = deps.findAgent(agent);
  const tools = await findTaskTools(ready, user, signal);
  const id = key === undefined ? deps.ids.ulid() : `key_${createHash('sha256').update(key).digest('hex')}`;
  const { name, values } = toolFor(change);
  const call = newCall(tools, name, { id, arguments: { task_id: taskId, ...values } });
  const ended = await runTool(deps, user, { ready, tools, call, signal });
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
  const { offered } = await ready.offer(user, { signal });
  return new Map([...offered].filter(([, { tool }]) => tool.source === entry.name));
}

export function findTaskEntry({ tools }: Agent): McpTool | undefined {
  const servers = tools.filter((tool): tool is McpTool => tool.type === 'mcp');
  return servers.find((tool) => tool.transport === 'builtin' && tool.server === 'tasks');
}

function newCall(tools: TaskTools, wanted: string, parts: { id: string; arguments: JsonObject }): ToolCall {
  const found = [...tools].find(([, { tool }]) => (tool.serverName ?? tool.name) === wanted);
  if (!found) throw new AppError('not_found', { detail: `The tool ${wanted} is not allowed for this agent.` });
  return { ...parts, name: found[0], state: 'pending' };
}

interface RunTool {
  ready: ReadyAgent;
  tools: TaskTools;
  call: ToolCall;
  signal: AbortSignal;
}

/** Prepares, binds, runs and audits a call. Reads are not audited: nothing was done. */
async function runTool({ store, clock }: TaskDeps, user: User, { ready, tools, call, signal }: RunTool) {
  const { agent } = ready;
  const prepared = prepareCall({ call, tools, user, validator: await ready.validator() });
  const tool = tools.get(call.name)?.tool;
  const audited: AuditRecord[] = [];
  const ended = await runCall({
    call,
    prepared,
    user,
    conversationId: '',
    clock,
    signal,
    timeoutMs: agent.loop.tool_timeout_seconds * 1_000,
    progress: () => {},
    ask: () => Promise.reject(new AppError('awaiting_input', { detail: 'Nobody can be asked here.' })),
    async onRun({ sent_arguments, started_at }) {
      if (!tool?.needsApproval) return;
      const place = { at: started_at, user_id: user.id, call_id: call.id, tool: call.name };
      await store.addAudit(user, [
        { ...place, action: 'approval', arguments: sent_arguments, outcome: 'the user made the change' },
      ]);
    },
  });
  if (!tool?.readOnly) {
    const end = { type: 'tool-call-end' as const, call: ended, message_id: '', id: '', at: clock.date().toISOString() };
    audited.push(...auditOf(end, user));
  }
  if (audited.length > 0) await store.addAudit(user, audited);
  return ended;
}

function resultOf({ state, result, error }: ToolCall): unknown {
  if (state === 'completed') return result;
  const detail = error?.message ?? 'The change was not made.';
  if (error?.error_type === 'TaskNotFound') throw new AppError('not_found', { detail });
  if (error?.error_type === 'ValidationError') throw invalidRequest([{ path: '', message: detail }]);
  throw new AppError('tool_unavailable', { detail });
}
