import { describe, expect, it } from 'vitest';
import { newUlid } from '../../src/schema/new-ulid.ts';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';
import { ALICE, buildTool } from '../build.ts';
import { temporaryFolder } from '../runtime.ts';
import { openServer, readAnswer } from './server.ts';

type Call = Awaited<ReturnType<typeof openServer>>['call'];
interface Shown {
  session_id: string;
  title: string;
  thread_id?: string;
  message_count: number;
  metadata: Record<string, unknown>;
  messages: { id: string; role: string; content: string }[];
}

const read = async (call: Call, id: string): Promise<Shown> =>
  (await (await call(`GET /sessions/${id}`)).json()) as Shown;
const chat = async (call: Call, body: object) => readAnswer(await call('POST /agent/helper/chat', { body }));
const callEcho = { calls: [{ name: 'echo', arguments: { text: 'a' } }] };

describe('POST /sessions/{id}/fork', () => {
  it('copies messages and files up to one message, and nothing else', async () => {
    const replies = [callEcho, 'One.', 'Two.', 'Three.', 'Of the fork.'];
    const { call, model, runtime } = await openServer({ replies });
    const run = { threadId: 't', runId: 'r', messages: [{ id: 'm 1', role: 'user', content: 'first' }] };
    await (await call('POST /awp', { body: run })).text();
    const { sessions } = (await (await call('GET /sessions')).json()) as { sessions: Shown[] };
    const id = sessions[0]?.session_id ?? '';
    const files = [
      { content: Buffer.from('two lines').toString('base64'), mime_type: 'text/plain', filename: 'n.txt' },
    ];
    await chat(call, { message: 'second', session_id: id, files });
    await chat(call, { message: 'third', session_id: id });
    const before = await read(call, id);
    const after = before.messages.find(({ content }) => content === 'Two.')?.id;
    const response = await call(`POST /sessions/${id}/fork`, { body: { after } });
    const made = (await response.json()) as Shown;
    expect([response.status, response.headers.get('location')]).toEqual([201, `/sessions/${made.session_id}`]);
    expect(made).toMatchObject({ title: 'first', message_count: 4 });
    expect([made.metadata, made.thread_id]).toEqual([
      { title: 'first', forked_from: { session_id: id, message_id: after } },
      undefined,
    ]);
    const copy = await read(call, made.session_id);
    expect(copy.messages.map(({ role, content }) => [role, content])).toEqual(
      before.messages.slice(0, 6).map(({ role, content }) => [role, content]),
    );
    const ids = new Set(before.messages.map((message) => message.id));
    expect(copy.messages.some((message) => ids.has(message.id))).toBe(false);

    await chat(call, { message: 'fourth', session_id: made.session_id });
    const sent = model.requests.at(-1)?.messages.map(({ content }) => content) ?? [];
    expect(sent.at(-1)).toBe('fourth');
    expect(sent.find((content) => content.startsWith('second'))).toContain('two lines');
    expect(await read(call, id)).toMatchObject({ messages: before.messages });
    const turns = await runtime.describeTurns(ALICE, made.session_id, { limit: 9 });
    expect(turns.map(({ attempt, idempotency_key }) => [attempt, idempotency_key])).toEqual([
      [1, undefined],
      [0, undefined],
      [0, undefined],
    ]);
  });

  it('leaves a call behind that waits for an approval', async () => {
    const remove = buildTool({ name: 'remove', needsApproval: true });
    const ask = { text: 'Shall I?', calls: [{ name: 'remove', arguments: {} }] };
    const { call } = await openServer({ replies: [ask], tools: [remove] });
    const { session_id: id } = await chat(call, { message: 'hello' });
    const after = (await read(call, id)).messages.at(-1)?.id;
    const made = (await (await call(`POST /sessions/${id}/fork`, { body: { after } })).json()) as Shown;
    const copy = await read(call, made.session_id);
    expect(copy.messages.at(-1)).toMatchObject({ role: 'assistant', content: 'Shall I?' });
    expect(JSON.stringify(copy.messages)).not.toContain('tool_calls');
    const resumed = await call(`POST /sessions/${made.session_id}/resume`, {
      body: [{ call_id: 'x', approved: true }],
    });
    expect(resumed.status).toBe(422);
  });

  it('is 404 for a message of elsewhere, and 422 for a wrong body', async () => {
    const { call } = await openServer({ replies: ['One.', 'Two.'] });
    const { session_id: id } = await chat(call, { message: 'hello' });
    const { session_id: other } = await chat(call, { message: 'hello' });
    const after = (await read(call, other)).messages.at(-1)?.id;
    const fork = async (body: unknown, as = 'alice') => (await call(`POST /sessions/${id}/fork`, { body, as })).status;
    expect([await fork({ after }), await fork({ after: newUlid() }), await fork({ after: '../x' })]).toEqual([
      404, 404, 404,
    ]);
    expect([await fork({}), await fork({ after: 1 }), await fork({ after: 'x', agent: 'y' })]).toEqual([422, 422, 422]);
    const own = (await read(call, id)).messages.at(-1)?.id;
    expect(await fork({ after: own }, 'bob')).toBe(404);
    expect((await readAnswer(await call('GET /sessions'))).sessions).toHaveLength(2);
  });
});

describe('GET /sessions/{id}/export', () => {
  const ESCAPE = '\u001b[31m';

  it('is an attachment in Markdown, without control characters and prompts', async () => {
    const agent = { instructions: 'A secret instruction.' };
    const { call } = await openServer({ replies: [callEcho, `Done${ESCAPE}.`], agent });
    const { session_id: id, ...answer } = await chat(call, { message: 'hello\nthere' });
    const message = (answer as unknown as { message_id: string }).message_id; // of a ChatResponse
    const body = { rating: 'up', comment: `fine\n# ${ESCAPE}x` };
    await call(`PUT /sessions/${id}/messages/${message}/feedback`, { body });
    const response = await call(`GET /sessions/${id}/export`);
    const text = await response.text();
    expect([response.headers.get('content-type'), response.headers.get('content-disposition')]).toEqual([
      'text/markdown; charset=utf-8',
      `attachment; filename="helper-${id}.md"`,
    ]);
    expect(text).toMatch(
      /^# hello\n\nhelper, \w+\n\n\*\*You\*\* · \S+\n\nhello\nthere\n\n---\n\n\*\*helper\*\* · \S+\n\nDone\.\n/,
    );
    expect(text).toContain('*Feedback: up: fine # x*');
    expect([text.includes('\u001b'), text.includes('secret instruction')]).toEqual([false, false]);
  });

  it("has the user's own title as its heading", async () => {
    const { call } = await openServer({ replies: ['Done.'] });
    const { session_id: id } = await chat(call, { message: 'hello' });
    await call(`PATCH /sessions/${id}`, { body: { title: 'Groceries' } });
    expect(await (await call(`GET /sessions/${id}/export`)).text()).toMatch(/^# Groceries\n/);
  });

  it('is JSON with the same messages that GET /sessions/{id} shows', async () => {
    const { call } = await openServer({ replies: [callEcho, 'Done.'] });
    const { session_id: id } = await chat(call, { message: 'hello' });
    const response = await call(`GET /sessions/${id}/export?format=json`);
    const exported = (await response.json()) as Shown;
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="helper-${id}.json"`);
    expect([exported.session_id, exported.messages]).toEqual([id, (await read(call, id)).messages]);
    expect((await call(`GET /sessions/${id}/export?format=html`)).status).toBe(422);
    expect((await call(`GET /sessions/${id}/export`, { as: 'bob' })).status).toBe(404);
  });
});

const CHAT = 'POST /agent/helper/chat';
const detached = { prefer: 'respond-async' };

/** A server with a finished conversation, over a store that a test can hold up. */
async function openHeld(hold: (store: Store) => Partial<Store>) {
  const store = createSqliteStore({ folder: temporaryFolder() });
  const replies = ['Done.', { text: 'On and on', hang: true }];
  const server = await openServer({ replies, store: { ...store, ...hold(store) } });
  const { session_id: id, messages } = await readAnswer(await server.call(CHAT, { body: { message: 'hello' } }));
  const say = () => server.call(CHAT, { body: { message: 'more', session_id: id }, headers: detached });
  return { ...server, id, messages: messages as unknown as { id: string }[], say }; // a ChatResponse has its messages
}

describe('a conversation that is deleted at the moment', () => {
  it('when a turn of it has begun, but does not run yet: no model is asked', async () => {
    const begun = Promise.withResolvers<void>();
    const isDeleted = Promise.withResolvers<void>();
    const { call, id, say, model, runtime } = await openHeld((store) => ({
      async beginTurn(user, request) {
        const outcome = await store.beginTurn(user, request);
        if (request.isNew) return outcome;
        begun.resolve();
        await isDeleted.promise;
        return outcome;
      },
    }));
    const said = say();
    await begun.promise;
    expect((await call(`DELETE /sessions/${id}`)).status).toBe(204);
    isDeleted.resolve();
    await said;
    await expect.poll(() => runtime.activeTurns).toBe(0);
    expect(model.requests).toHaveLength(1);
  });

  it('when a turn of it starts to run: the turn is stopped', async () => {
    const asked = Promise.withResolvers<void>();
    const deleting = Promise.withResolvers<void>();
    const { call, id, say, model, runtime } = await openHeld((store) => ({
      async deleteConversation(user, conversation) {
        deleting.resolve();
        await asked.promise;
        return store.deleteConversation(user, conversation);
      },
    }));
    const deleted = call(`DELETE /sessions/${id}`);
    await deleting.promise;
    await say();
    await expect.poll(() => model.requests.length).toBe(2);
    asked.resolve();
    expect((await deleted).status).toBe(204);
    expect(runtime.activeTurns).toBe(0);
  });

  it('when it is copied: no empty copy is made', async () => {
    const { call, id, messages } = await openHeld((store) => ({
      async readPath(user, turn) {
        await store.deleteConversation(user, id);
        return store.readPath(user, turn);
      },
    }));
    const copied = await call(`POST /sessions/${id}/fork`, { body: { after: messages.at(-1)?.id } });
    expect(copied.status).toBe(404);
    expect((await readAnswer(await call('GET /sessions'))).sessions).toEqual([]);
  });
});
