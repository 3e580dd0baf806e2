import { describe, expect, it } from 'vitest';
import { userFromId } from '../identity/user.ts';
import type { JsonObject } from '../schema/json.ts';
import type { Task } from '../schema/task.ts';
import type { ToolOutcome } from '../tools/tool.ts';
import { DUE_RANGE_PATTERN, parseDueRange } from './due-range.ts';
import { createSqliteTaskStore } from './sqlite-task-store.ts';
import { createTaskTools, type TaskToolsOptions } from './task-tools.ts';

const ANN = '00000000-0000-4000-8000-00000000000a';
const BOB = '00000000-0000-4000-8000-00000000000b';

function openTools(options?: TaskToolsOptions) {
  const tools = createTaskTools(createSqliteTaskStore({ path: ':memory:' }), options);
  let calls = 0;
  const call = (name: string, args: JsonObject, user = ANN): Promise<ToolOutcome> => {
    const tool = tools.find((candidate) => candidate.name === name);
    if (!tool) throw new Error(`no tool ${name}`);
    const context = { user: userFromId(user), conversationId: 'c', callId: `call-${++calls}` };
    return tool.run(args, {
      ...context,
      signal: new AbortController().signal,
      progress() {},
      ask: () => Promise.reject(new Error('nobody')),
    });
  };
  const add = async (title: string) => {
    const outcome = await call('add_task', { user_id: ANN, title });
    // The tool's result is a task.
    return (outcome as { result: unknown }).result as Task;
  };
  return { tools, call, add };
}

const errorOf = (outcome: ToolOutcome) => ('error' in outcome ? outcome.error.error_type : undefined);

describe('createTaskTools', () => {
  it('offers the six tools, each with the user in its schema', () => {
    const { tools } = openTools();
    expect(tools.map((tool) => tool.name)).toEqual([
      'add_task',
      'list_tasks',
      'complete_task',
      'update_task',
      'delete_task',
      'undo_change',
    ]);
    for (const tool of tools) {
      expect(tool.inputSchema).toMatchObject({ properties: { user_id: { type: 'string', format: 'uuid' } } });
      expect(tool.inputSchema.required).toContain('user_id');
    }
  });

  it('trims a title and refuses one that is empty or over 500 characters', async () => {
    const { call, add } = openTools();
    expect((await add('  buy milk ')).title).toBe('buy milk');
    expect(errorOf(await call('add_task', { user_id: ANN, title: '   ' }))).toBe('ValidationError');
    expect(errorOf(await call('add_task', { user_id: ANN, title: 'x'.repeat(501) }))).toBe('ValidationError');
  });

  it('refuses malformed ids, dates and unknown arguments', async () => {
    const { call } = openTools();
    const bad: [string, JsonObject][] = [
      ['complete_task', { user_id: ANN, task_id: 'not-a-uuid' }],
      ['add_task', { user_id: 'me', title: 'x' }],
      ['add_task', { user_id: ANN, title: 'x', due_date: '2026-02-30' }],
      ['add_task', { user_id: ANN, title: 'x', due_date: 'tomorrow' }],
      ['list_tasks', { user_id: ANN, due: 'today' }],
      ['list_tasks', { user_id: ANN, owner: BOB }],
    ];
    for (const [name, args] of bad) expect(errorOf(await call(name, args))).toBe('ValidationError');
  });

  it('refuses an update with nothing to change', async () => {
    const { call, add } = openTools();
    const task = await add('buy milk');
    expect(errorOf(await call('update_task', { user_id: ANN, task_id: task.id }))).toBe('ValidationError');
  });

  it('clears and reopens, and refuses a value for what it clears', async () => {
    const { call, add } = openTools();
    const task = await add('buy milk');
    const update = (args: JsonObject) => call('update_task', { user_id: ANN, task_id: task.id, ...args });
    await update({ due_date: '2026-11-16', is_completed: true });
    expect(await update({ clear: ['due_date'], is_completed: false })).toEqual({
      result: { ...task, updated_at: expect.any(String) },
    });
    expect(errorOf(await update({ clear: ['title'] }))).toBe('ValidationError');
    expect(errorOf(await update({ clear: [] }))).toBe('ValidationError');
    expect(errorOf(await update({ clear: ['due_date'], due_date: '2026-11-16' }))).toBe('ValidationError');
  });

  it('deletes with null, and the second time TaskNotFound', async () => {
    const { call, add } = openTools();
    const task = await add('buy milk');
    expect(await call('delete_task', { user_id: ANN, task_id: task.id })).toEqual({ result: null });
    expect(await call('delete_task', { user_id: ANN, task_id: task.id })).toEqual({
      error: { error_type: 'TaskNotFound', message: 'There is no such task.', details: { task_id: task.id } },
    });
  });

  it('undoes the last change, and names a task that changed since', async () => {
    const { call, add } = openTools();
    const task = await add('buy milk');
    const args = { user_id: ANN };
    expect(errorOf(await call('undo_change', { ...args, batch: 'nothing' }))).toBe('TaskNotFound');
    expect(errorOf(await call('undo_change', { ...args, batch: '' }))).toBe('ValidationError');
    await call('delete_task', { ...args, task_id: task.id });
    expect(await call('undo_change', args)).toEqual({
      result: { batch: 'call-4', restored: [{ change: 'brought_back', task }] },
    });
    await call('complete_task', { ...args, task_id: task.id });
    expect(await call('undo_change', { ...args, batch: 'call-1' })).toEqual({
      error: {
        error_type: 'ValidationError',
        message: "Nothing was undone: 'buy milk' changed since then.",
        details: [{ id: task.id, title: 'buy milk' }],
      },
    });
  });

  it('never acts for a user other than the one who asks', async () => {
    const { call, add } = openTools();
    const task = await add('buy milk');
    expect(errorOf(await call('delete_task', { user_id: ANN, task_id: task.id }, BOB))).toBe('UnauthorizedError');
    expect(errorOf(await call('delete_task', { user_id: BOB, task_id: task.id }, BOB))).toBe('TaskNotFound');
    expect(await call('list_tasks', { user_id: ANN })).toEqual({ result: [task] });
  });

  it('takes the argument as the user where there is nothing else', async () => {
    const { call } = openTools({ anyUser: true });
    expect(await call('list_tasks', { user_id: BOB }, ANN)).toEqual({ result: [] });
  });
});

describe('parseDueRange', () => {
  it.each([
    ['2026-11-16', { from: '2026-11-16', to: '2026-11-16' }],
    ['2026-11-16/2026-11-22', { from: '2026-11-16', to: '2026-11-22' }],
    ['../2026-11-15', { to: '2026-11-15' }],
    ['2026-11-16/..', { from: '2026-11-16' }],
    ['../..', {}],
    ['2026-11', { from: '2026-11-01', to: '2026-11-30' }],
    ['2028-02', { from: '2028-02-01', to: '2028-02-29' }],
    ['2026', { from: '2026-01-01', to: '2026-12-31' }],
    ['2026-W47', { from: '2026-11-16', to: '2026-11-22' }],
    ['2026-W01', { from: '2025-12-29', to: '2026-01-04' }],
    ['2026-W53', { from: '2026-12-28', to: '2027-01-03' }],
    ['2027-W01', { from: '2027-01-04', to: '2027-01-10' }],
    ['2026-11/2026-12', { from: '2026-11-01', to: '2026-12-31' }],
    ['2026-11-16/2026-11', { from: '2026-11-16', to: '2026-11-30' }],
  ])('reads %s', (text, range) => {
    expect([new RegExp(DUE_RANGE_PATTERN).test(text), parseDueRange(text)]).toEqual([true, range]);
  });

  it.each(['today', '2026-13', '2026-W54', '2026-W00', '26', '2026-11-16/', '/', '2026-11-1', '2026-11-16 '])(
    'is not asked for %j',
    (text) => {
      expect(new RegExp(DUE_RANGE_PATTERN).test(text)).toBe(false);
    },
  );
});
