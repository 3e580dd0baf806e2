import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { ALICE, BOB, buildTool } from '../build.ts';
import { openServer, readAnswer } from './server.ts';

const AGENT = {
  tools: [
    {
      name: 'tasks',
      type: 'mcp',
      transport: 'builtin',
      server: 'tasks',
      bind: { user_id: '$user.id' },
      approve: ['delete_task'],
    },
  ],
};

interface Shown extends Record<string, unknown> {
  id: string;
  title: string;
  is_completed: boolean;
}

const add = (title: string) => ({ calls: [{ name: 'add_task', arguments: { title } }] });
/** Titles of which nothing is left to show. */
const UNSEEN = ['\u200b', '\u202e', '\u0000', '\u001b[31m', ' \u2060 '];

/** A server with the built-in task list, and one task of Alice's. */
async function openTasks() {
  const opened = await openServer({
    replies: [add('buy milk'), 'Done.', add("Bob's"), 'Done.'],
    agent: AGENT,
    tools: [],
  });
  const { call, runtime, model } = opened;
  await readAnswer(await call('POST /agent/helper/chat', { body: { message: 'add milk' } }));
  await readAnswer(await call('POST /agent/helper/chat', { body: { message: 'add' }, as: 'bob' }));
  const list = async (as = 'alice') => {
    const { tasks } = (await (await call('GET /agent/helper/tasks', { as })).json()) as { tasks: Shown[] };
    return tasks;
  };
  const [task] = await list();
  const path = `POST /agent/helper/tasks/${task?.id}`;
  const change = (body: unknown, key?: string, as = 'alice') =>
    call(path, { body, as, ...(key && { headers: { 'idempotency-key': key } }) });
  return { call, runtime, model, list, change, task };
}

describe('GET /agent/{name}/tasks', () => {
  it("lists one's own tasks without a user id, and asks no model", async () => {
    const { list, model } = await openTasks();
    const before = model.requests.length;
    const [tasks, others] = [await list(), await list('bob')];
    expect([tasks.map(({ title }) => title), others.map(({ title }) => title)]).toEqual([['buy milk'], ["Bob's"]]);
    expect(JSON.stringify([tasks, others])).not.toContain(ALICE.id);
    expect(model.requests.length).toBe(before);
  });

  it('is 404 for an agent without the built-in task server, also if it has a tool of that name', async () => {
    const { call } = await openServer({ replies: [], tools: [buildTool({ name: 'list_tasks' })] });
    expect((await call('GET /agent/helper/tasks')).status).toBe(404);
    expect((await call('GET /agent/nobody/tasks')).status).toBe(404);
  });
});

describe('undo_change', () => {
  const undo = { calls: [{ name: 'undo_change', arguments: {} }] };
  const addBoth = { calls: [...add('pay rent').calls, ...add('call mom').calls] };

  it('takes back all of the last changing turn of its conversation, and nothing of another', async () => {
    const replies = [addBoth, 'Done.', add('elsewhere'), 'Done.', 'Hello.', undo, 'Undone.', undo, 'Redone.'];
    const { call } = await openServer({ replies, agent: AGENT, tools: [] });
    const say = async (message: string, session_id?: string) =>
      readAnswer(await call('POST /agent/helper/chat', { body: { message, ...(session_id && { session_id }) } }));
    const titles = async () => {
      const { tasks } = (await (await call('GET /agent/helper/tasks')).json()) as { tasks: Shown[] };
      return tasks.map(({ title }) => title);
    };
    const { session_id } = await say('add two');
    await say('add one in another conversation');
    await say('hello', session_id);
    const { tool_calls } = await say('undo', session_id);
    expect(tool_calls).toMatchObject([
      { state: 'completed', result: { restored: [{ change: 'removed' }, { change: 'removed' }] } },
    ]);
    expect(await titles()).toEqual(['elsewhere']);
    await say('undo', session_id);
    expect((await titles()).sort()).toEqual(['call mom', 'elsewhere', 'pay rent']);
  });
});

describe('POST /agent/{name}/reminders', () => {
  const due = '2020-01-01T08:00:00Z';
  const addDue = { calls: [{ name: 'add_task', arguments: { title: 'call the dentist', due_date: due } }] };

  it('reports what came due since the last visit once, and again to a front that was there before', async () => {
    const { call } = await openServer({ replies: [addDue, 'Done.'], agent: AGENT, tools: [] });
    await readAnswer(await call('POST /agent/helper/chat', { body: { message: 'add' } }));
    const remind = async (body: object, as = 'alice') =>
      (await (await call('POST /agent/helper/reminders', { body, as })).json()) as { tasks: Shown[]; until: string };
    expect(await remind({}, 'bob')).toMatchObject({ tasks: [] });
    const first = await remind({});
    expect(first).toEqual({
      tasks: [expect.objectContaining({ title: 'call the dentist' })],
      until: expect.any(String),
    });
    expect(JSON.stringify(first)).not.toContain(ALICE.id);
    expect(await remind({})).toMatchObject({ tasks: [] });
    expect(await remind({ after: first.until })).toMatchObject({ tasks: [] });
    expect(await remind({ after: '2019-01-01T00:00:00Z' })).toMatchObject({ tasks: [{ due_date: due }] });
  });

  it('refuses other bodies, and is 404 for an agent without the built-in task server', async () => {
    const { call } = await openServer({ replies: [], agent: AGENT, tools: [] });
    expect((await call('POST /agent/helper/reminders', { body: { after: 'yesterday' } })).status).toBe(422);
    expect((await call('POST /agent/helper/reminders', { body: { user_id: BOB.id } })).status).toBe(422);
    const other = await openServer({ replies: [], tools: [] });
    expect((await other.call('POST /agent/helper/reminders', { body: {} })).status).toBe(404);
  });
});

describe('a title that cannot be seen', () => {
  it.each(UNSEEN)('is refused from the panel and from the model, and the list can still be read: %j', async (title) => {
    const { change, list } = await openTasks();
    expect((await change({ title })).status).toBe(422);
    expect(await list()).toMatchObject([{ title: 'buy milk' }]);
    const { call } = await openServer({ replies: [add(title), 'Done.'], agent: AGENT, tools: [] });
    const { tool_calls } = await readAnswer(await call('POST /agent/helper/chat', { body: { message: 'add' } }));
    expect(tool_calls).toMatchObject([{ state: 'failed' }]);
    expect(await (await call('GET /agent/helper/tasks')).json()).toEqual({ tasks: [] });
  });

  it('of an earlier version hides no other task', async () => {
    const { call, folder } = await openServer({
      replies: [add('one'), 'Done.', add('two'), 'Done.'],
      agent: AGENT,
      tools: [],
    });
    for (const message of ['one', 'two']) await call('POST /agent/helper/chat', { body: { message } });
    const database = new DatabaseSync(join(folder, 'tasks.db'));
    database.prepare('UPDATE tasks SET title = ? WHERE title = ?').run('\u202e', 'one');
    database.close();
    expect(await (await call('GET /agent/helper/tasks')).json()).toMatchObject({
      tasks: [{ title: 'two' }, { title: '' }],
    });
  });
});

describe('POST /agent/{name}/tasks/{task}', () => {
  it('changes a task by its tool, once for each key, and leaves a record', async () => {
    const { change, list, runtime, task, model } = await openTasks();
    const asked = model.requests.length;
    const done = await change({ is_completed: true }, 'k 1');
    expect([done.status, await done.json()]).toMatchObject([200, { id: task?.id, is_completed: true }]);
    await change({ is_completed: false });
    await change({ title: 'buy oat milk', due_date: '2026-12-01' });
    expect(await (await change({ is_completed: true }, 'k 1')).json()).toMatchObject({ is_completed: true });
    expect(await list()).toMatchObject([{ title: 'buy oat milk', due_date: '2026-12-01', is_completed: false }]);
    expect(await (await change({ due_date: null })).json()).not.toHaveProperty('due_date');
    expect((await change({ title: 'another' }, 'k 1')).status).toBe(422);
    expect(model.requests.length).toBe(asked);
    const audit = await runtime.readAudit(ALICE, { limit: 20 });
    expect(audit.filter(({ tool }) => tool === 'update_task')[0]).toMatchObject({
      action: 'call',
      arguments: { user_id: ALICE.id, task_id: task?.id },
    });
    expect(audit[0]).not.toHaveProperty('conversation_id');
    expect((await runtime.readAudit(BOB, { limit: 20 })).some(({ tool }) => tool === 'update_task')).toBe(false);
  });

  it("records the user's request as the approval of a tool that needs one", async () => {
    const { change, list, runtime, task } = await openTasks();
    expect(await (await change({ deleted: true })).json()).toEqual({ id: task?.id, deleted: true });
    expect(await list()).toEqual([]);
    const audit = await runtime.readAudit(ALICE, { limit: 2 });
    expect(audit.map(({ action, tool }) => [action, tool])).toEqual([
      ['call', 'delete_task'],
      ['approval', 'delete_task'],
    ]);
    expect((await change({ deleted: true })).status).toBe(404);
  });

  it("does not touch another user's task, whatever the body says", async () => {
    const { change, list } = await openTasks();
    const statuses = [
      await change({ is_completed: true }, undefined, 'bob'),
      await change({ deleted: true }, undefined, 'bob'),
      await change({ is_completed: true, user_id: ALICE.id }, undefined, 'bob'),
    ].map(({ status }) => status);
    expect(statuses).toEqual([404, 404, 422]);
    expect(await list()).toMatchObject([{ title: 'buy milk', is_completed: false }]);
  });

  it.each([
    ['nothing', {}],
    ['a deletion with a change', { deleted: true, title: 'x' }],
    ['an empty title', { title: ' ' }],
    ['a date that is none', { due_date: 'tomorrow' }],
    ['a list', []],
    ['no body', undefined],
  ])('refuses %s', async (_name, body) => {
    const { change, list } = await openTasks();
    expect((await change(body)).status).toBe(422);
    expect(await list()).toMatchObject([{ title: 'buy milk', is_completed: false }]);
  });
});
