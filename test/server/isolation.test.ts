import { describe, expect, it } from 'vitest';
import { newUlid } from '../../src/schema/new-ulid.ts';
import { operations } from '../../src/server/openapi/operations.ts';
import { ALICE, buildTool } from '../build.ts';
import { temporaryFolder } from '../runtime.ts';
import { delegateTo, openTeam, send } from '../team/team.ts';
import { keepRuns } from './kept-runs.ts';
import { openServer, readAnswer, serveRuntime, streamFrames } from './server.ts';

const remove = buildTool({ name: 'remove', needsApproval: true });
const replies = [{ calls: [{ name: 'remove', arguments: {} }] }, { text: 'x', hang: true }];
const withSession = operations.filter((route) => route.path.includes('{id}'));

/** A response without the parts that must differ: the request's id and the requested id. */
async function seen(response: Response, id: string): Promise<unknown> {
  const text = (await response.text()).replaceAll(id, '<id>').replace(/"instance":"\w+"/, '');
  return { status: response.status, type: response.headers.get('content-type'), text };
}

const BODIES: Record<string, unknown> = {
  '/sessions/{id}': { title: 'mine', pinned: true, metadata: { mine: true } },
  '/sessions/{id}/resume': [{ call_id: 'x', approved: true }],
  '/sessions/{id}/messages/{message}/feedback': { rating: 'up' },
  '/sessions/{id}/fork': { after: 'x' },
};

/** A member of Alice's team waits for an approval: its own conversation and turn. */
async function memberOfAlice() {
  const { runtime } = await openTeam({
    sub_agents: ['checker'],
    members: { checker: {} },
    tools: [remove],
    script: {
      lead: (step) => (step === 0 ? { calls: [delegateTo('checker', 'Remove it.')] } : 'Removed.'),
      'lead/checker': (step) => (step === 0 ? { calls: [{ name: 'remove' }] } : 'Removed.'),
    },
  });
  const { result, conversationId: root } = await send(runtime, 'Remove it');
  const turn = result.delegations?.[0]?.turn_id ?? '';
  const child = await runtime.readTurn(ALICE, turn);
  const id = child?.conversation_id ?? '';
  const [message] = await runtime.readMessages(ALICE, id);
  const ids = { root, id, turn, message: message?.id ?? '', callId: result.asked?.[0]?.call_id ?? '' };
  return { runtime, ...ids, ...(await serveRuntime(runtime)) };
}

const ID = '{(id|turn|message|response|task|run|document|server)}';
const toTask = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params });
const yes = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'yes' }] };

describe('a member that waits', () => {
  it('answers another user on every route like one that does not exist, and so does its team', async () => {
    const { call, runtime, root, id, turn, message, callId } = await memberOfAlice();
    const ask = async ({ method, path }: { method: string; path: string }, own: Record<string, string>) => {
      const name = (_: string, key: string) => own[key] ?? own.turn ?? '';
      const body = JSON.stringify(BODIES[path] ?? {}).replaceAll('"x"', JSON.stringify(own.callId));
      const filled = path.replace('{name}', 'lead').replace(new RegExp(ID, 'g'), name);
      const takesBody = method !== 'GET' && method !== 'DELETE';
      const answer = await seen(await call(`${method} ${filled}`, { as: 'bob', ...(takesBody && { body }) }), root);
      return Object.values(own).reduce((text, one) => text.replaceAll(one, '<id>'), JSON.stringify(answer));
    };
    const routes = operations.filter(({ path }) => new RegExp(ID).test(path));
    expect(routes.length).toBeGreaterThan(20);
    for (const route of routes) {
      const unknown = { id: newUlid(), turn: newUlid(), message: newUlid(), callId: newUlid() };
      const nothing = await ask(route, unknown);
      for (const session of [id, root]) expect(await ask(route, { id: session, turn, message, callId })).toBe(nothing);
    }
    for (const method of ['GetTask', 'CancelTask']) {
      const of = async (task: string) => {
        const answer = await call('POST /agent/lead/a2a', { as: 'bob', body: toTask(method, { id: task }) });
        return (await answer.text()).replaceAll(task, '<id>');
      };
      expect(await of(turn)).toBe(await of(newUlid()));
    }
    expect((await runtime.readTurn(ALICE, turn))?.status).toBe('waiting');
  });

  it('is reached by its own user through its team alone', async () => {
    const { call, runtime, root, turn, callId } = await memberOfAlice();
    const messages = [{ id: 'm', role: 'user', content: 'hello' }];
    const say = { message: 'hello' };
    const bodies: Record<string, object> = { chat: say, run: say, awp: { threadId: 't', runId: 'r', messages } };
    for (const { method, path } of operations.filter((route) => route.path.startsWith('/agent/{name}'))) {
      const ask = async (name: string) => {
        const filled = path.replace('{name}', name).replace(/\{\w+\}/g, 'x');
        const body = bodies[path.split('/')[3] ?? ''] ?? { id: 't', messages };
        const response = await call(`${method} ${filled}`, {
          ...(method !== 'GET' && method !== 'DELETE' && { body }),
        });
        return [path, response.status, await response.text()];
      };
      expect(await ask('nobody')).toEqual([path, 404, expect.not.stringContaining('checker')]);
      expect(await ask('lead%2Fchecker')).toEqual([path, 404, expect.any(String)]);
    }
    await call('POST /agent/lead/a2a', { body: toTask('CancelTask', { id: turn }) });
    await call('POST /agent/lead/a2a', { body: toTask('SendMessage', { message: { ...yes, taskId: turn } }) });
    await call(`POST /v1/responses/${turn}/cancel`);
    const taken = { threadId: `child:${turn}:${callId}`, runId: 'r', messages, tools: [], context: [] };
    const refused = await call('POST /awp', { body: taken });
    expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining('threadId')]);
    expect((await runtime.readTurn(ALICE, turn))?.status).toBe('waiting');
    const body = [{ call_id: callId, approved: true }];
    expect((await call(`POST /sessions/${root}/resume`, { body })).status).toBe(200);
    expect((await runtime.readTurn(ALICE, turn))?.status).toBe('completed');
  });
});

it("the trace of a member is its user's own, below the team's turn and by itself", async () => {
  const { call, root, id, turn } = await memberOfAlice();
  const ask = async (as: string, session: string) => {
    const response = await call(`GET /sessions/${session}/turns/${turn}/trace`, { as });
    return seen(response, session);
  };
  expect(await ask('alice', id)).toMatchObject({ status: 200 });
  expect(await ask('bob', id)).toEqual(await ask('bob', newUlid()));
  expect(await ask('bob', root)).toEqual(await ask('bob', newUlid()));
});

it('the conversation of a member is read-only for its own user, and in no list', async () => {
  const { call, id } = await memberOfAlice();
  const changes = ['POST /sessions/{id}/cancel', 'DELETE /sessions/{id}', 'PATCH /sessions/{id}'];
  for (const change of [...changes, 'POST /sessions/{id}/resume', 'POST /sessions/{id}/fork']) {
    const path = change.split(' ')[1] ?? '';
    const response = await call(change.replace('{id}', id), { body: BODIES[path] });
    expect([change, response.status, await response.json()]).toMatchObject([change, 409, { code: 'belongs_to_turn' }]);
  }
  expect((await call(`GET /sessions/${id}`)).status).toBe(200);
  const listed = await readAnswer(await call('GET /sessions'));
  expect(listed.sessions).toHaveLength(1);
  expect(JSON.stringify(listed)).not.toContain(id);
});

describe.each([
  ['waits', 'remove'],
  ['runs', 'hang'],
])("another user's conversation whose turn %s", (_what, kind) => {
  async function aliceIsHere() {
    const server = await openServer({ replies: kind === 'hang' ? replies.slice(1) : replies, tools: [remove] });
    const stream = streamFrames(await server.call('POST /agent/helper/chat/stream', { body: { message: 'hello' } }));
    const start = await stream.next();
    if (kind === 'remove') await expect.poll(() => server.runtime.activeTurns).toBe(0);
    return { ...server, id: String(start.value?.data.session_id) };
  }

  it.each(withSession)('answers $method $path like one that does not exist', async ({ method, path }) => {
    const { call, runtime, id } = await aliceIsHere();
    const unknown = newUlid();
    const ask = async (session: string) => {
      const response = await call(`${method} ${path.replace('{id}', session)}`, {
        as: 'bob',
        body: method === 'GET' || method === 'DELETE' ? undefined : BODIES[path],
      });
      return seen(response, session);
    };
    expect(await ask(id)).toEqual(await ask(unknown));
    expect((await readAnswer(await call(`GET /sessions/${id}`))).messages[0]?.role).toBe('user');
    expect(runtime.activeTurns).toBe(kind === 'hang' ? 1 : 0);
    if (kind === 'hang') await call(`POST /sessions/${id}/cancel`);
  });

  it('takes no message of another user, in REST or AG-UI', async () => {
    const { call, id } = await aliceIsHere();
    const ask = async (session_id: string) =>
      seen(await call('POST /agent/helper/chat', { as: 'bob', body: { message: 'a', session_id } }), session_id);
    expect(await ask(id)).toEqual(await ask(newUlid()));
    const resume = [{ interruptId: 'x', status: 'resolved', payload: { approved: true } }];
    const run = async (threadId: string) => {
      const body = { threadId, runId: 'r', messages: [], tools: [], context: [], resume };
      return seen(await call('POST /awp', { as: 'bob', body }), threadId);
    };
    expect(await run(id)).toEqual(await run(newUlid()));
    expect((await readAnswer(await call('GET /sessions', { as: 'bob' }))).sessions).toEqual([]);
    if (kind === 'hang') await call(`POST /sessions/${id}/cancel`);
  });
});

it("no task and no chat of another user is reachable by A2A or the AI SDK's stream", async () => {
  const { call } = await openServer({ replies, tools: [remove] });
  const ask = async (as: string, path: string, body: unknown) =>
    (await call(`POST /agent/helper/${path}`, { as, body })).text();
  const rpc = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params });
  const send = (message: object) =>
    rpc('SendMessage', { message: { messageId: 'm', parts: [{ text: 'yes' }], ...message } });
  const waiting = JSON.parse(await ask('alice', 'a2a', send({ contextId: 'ours' }))).result.task;
  expect(waiting.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
  const seenByBob = async (id: string) => {
    const bodies = [rpc('GetTask', { id }), rpc('CancelTask', { id }), send({ taskId: id })];
    return Promise.all(bodies.map((body) => ask('bob', 'a2a', body)));
  };
  expect(await seenByBob(waiting.id)).toEqual(await seenByBob(newUlid()));
  const part = { type: 'dynamic-tool', toolCallId: 'x', approval: { id: 'x', approved: true } };
  const answer = (id: string) => ({ id, messages: [{ id: 'a', role: 'assistant', parts: [part] }] });
  const approve = async (id: string) => (await ask('bob', 'ui', answer(id))).replace(/"instance":"\w+"/, '');
  expect(await approve('ours')).toEqual(await approve('theirs'));
  const task = JSON.parse(await ask('alice', 'a2a', rpc('GetTask', { id: waiting.id }))).result;
  expect(task.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
});

describe('test runs of the author', () => {
  const jwt = { secret: 'a secret that is at least 32 bytes long', issuer: 'i', audience: 'a' };

  it.each([
    ['a user with a token', { auth: { jwt, developer_scope: 'agent:debug' } }],
    ['a user of a server without tokens that other machines can reach', { host: '0.0.0.0' }],
  ])('do not exist for %s', async (_who, server) => {
    const { folder, newest } = keepRuns('helper');
    const routes = ['/agent/helper/runs', `/agent/helper/runs/${newest}`, `/agent/helper/runs/${newest}/differences`];
    const seenWith = async (runs: string) => {
      const app = { runsFolder: () => runs };
      const { call } = await openServer({ replies: [], agent: { server }, app });
      const answers = await Promise.all([...routes, '/agents'].map((route) => call(`GET ${route}`)));
      return Promise.all(answers.map((answer) => seen(answer, newest)));
    };
    const answers = await seenWith(folder);
    expect(answers).toEqual(await seenWith(temporaryFolder()));
    expect(answers).toMatchObject([{ status: 200, text: '{"runs":[]}' }, { status: 404 }, { status: 404 }, {}]);
  });
});

describe('without a valid token', () => {
  const closed = operations.filter((route) => !route.isOpen);

  it.each([...closed, { method: 'GET', path: '/nothing' }])(
    '$method $path is 401 before anything is read',
    async ({ method, path }) => {
      const { call } = await openServer({ replies: [] });
      const body = method === 'POST' ? 'not even JSON' : undefined;
      const response = await call(`${method} ${path.replace('{name}', 'helper').replace('{id}', 'x')}`, {
        as: 'mallory',
        body,
      });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer( resource_metadata="http:[^"]+")?$/);
      expect(await response.text()).toContain('"code":"unauthorized"');
    },
  );
});
