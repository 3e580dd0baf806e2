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
      lead: () => ({ calls: [delegateTo('checker', 'Remove it.')] }),
      'lead/checker': () => ({ calls: [{ name: 'remove' }] }),
    },
  });
  const { result, conversationId: root } = await send(runtime, 'Remove it');
  const child = await runtime.readTurn(ALICE, result.delegations?.[0]?.turn_id ?? '');
  return { runtime, root, id: child?.conversation_id ?? '', turn: child?.id ?? '', ...(await serveRuntime(runtime)) };
}

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
  ['works for a team', 'member'],
])("another user's conversation whose turn %s", (_what, kind) => {
  async function aliceIsHere() {
    if (kind === 'member') return memberOfAlice();
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
