import { AppError } from '../../errors.ts';
import { Uuid } from '../../schema/ids.ts';
import { ReminderRequest, type Task, TaskChange } from '../../schema/task.ts';
import type { ServerDeps } from '../deps.ts';
import type { HttpApp } from '../http/app.ts';
import { parseRequest, readKey } from '../http/parse.ts';
import { findAgent } from './agents.ts';

const TIMEOUT_MS = 20_000;

/** The built-in task list of an agent, for a panel beside the chat. */
export function addTaskRoutes(app: HttpApp, deps: ServerDeps): void {
  const { runtime } = deps;

  app.get<{ name: string }>('/agent/:name/tasks', async (request) => {
    const { name: agent } = findAgent(runtime, request.params.name);
    const tasks = await runtime.listTasks(request.user, { agent, signal: AbortSignal.timeout(TIMEOUT_MS) });
    return { tasks: tasks.map(toShown) };
  });

  app.post<{ name: string }>('/agent/:name/reminders', async (request) => {
    const { name: agent } = findAgent(runtime, request.params.name);
    const { after } = parseRequest(ReminderRequest, request.takeBody());
    const due = await runtime.takeReminders(request.user, { agent, after });
    if (!due) throw new AppError('not_found', { detail: 'This agent has no built-in task list.' });
    return { ...due, tasks: due.tasks.map(toShown) };
  });

  app.post<{ name: string; task: string }>('/agent/:name/tasks/:task', async (request) => {
    const { name: agent } = findAgent(runtime, request.params.name);
    const taskId = parseRequest(Uuid, request.params.task, ['task']);
    const change = parseRequest(TaskChange, request.takeBody());
    const key = readKey(request);
    deps.takeTurn(request.user);
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const task = await runtime.changeTask(request.user, { agent, taskId, change, signal, ...(key && { key }) });
    return task ? toShown(task) : { id: taskId, deleted: true };
  });
}

function toShown({ user_id: _owner, ...task }: Task) {
  return task;
}
