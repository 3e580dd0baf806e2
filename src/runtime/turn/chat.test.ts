import { describe, expect, it } from 'vitest';
import { ALICE, BOB, buildTool } from '../../../test/build.ts';
import { collect, openRuntime } from '../../../test/runtime.ts';
import { isText } from '../../schema/conversation/message.ts';
import { newUlid } from '../../schema/new-ulid.ts';

const say = (message: string, more = {}) => ({ agent: 'helper', message, ...more });
const callEcho = { calls: [{ name: 'echo', arguments: { text: 'a' } }] };

describe('chat', () => {
  it('stores the turn that it emits', async () => {
    const { runtime } = await openRuntime({ replies: [callEcho, 'Done.'] });
    const turn = await runtime.chat(ALICE, say('hello'));
    const last = (await collect(turn)).at(-1);
    expect(last).toMatchObject({ type: 'turn-end', result: { status: 'completed', content: 'Done.' } });
    expect(await runtime.readNewestTurn(ALICE, turn.conversationId)).toMatchObject({
      id: turn.turnId,
      status: 'completed',
    });
    const roles = (await runtime.readMessages(ALICE, turn.conversationId)).map((message) => message.role);
    expect(roles).toEqual(['user', 'assistant', 'tool', 'assistant']);
    expect(await runtime.readConversation(ALICE, turn.conversationId)).toMatchObject({ metadata: { title: 'hello' } });
  });

  it('sends the history of the conversation, and only of that one', async () => {
    const { runtime, model } = await openRuntime({ replies: ['One.', 'Two.', 'Three.'] });
    const first = await runtime.chat(ALICE, say('first'));
    await collect(first);
    await collect(await runtime.chat(ALICE, say('second', { conversationId: first.conversationId })));
    await collect(await runtime.chat(ALICE, say('other')));
    expect(model.requests.map((request) => request.messages.map((message) => message.content))).toEqual([
      ['first'],
      ['first', 'One.', 'second'],
      ['other'],
    ]);
  });

  it('sends as many texts as the limit says; calls and results do not count', async () => {
    const replies = [callEcho, 'One.', callEcho, 'Two.', 'Three.'];
    const { runtime, model } = await openRuntime({ replies, agent: { limits: { history_messages: 5 } } });
    const first = await runtime.chat(ALICE, say('first'));
    await collect(first);
    const more = { conversationId: first.conversationId };
    for (const message of ['second', 'third']) await collect(await runtime.chat(ALICE, say(message, more)));
    const sent = model.requests.at(-1)?.messages ?? [];
    expect(sent.filter(isText).map(({ content }) => content)).toEqual(['first', 'One.', 'second', 'Two.', 'third']);
  });

  it.each([
    ['an unknown conversation', ALICE, newUlid()],
    ["another user's conversation", BOB, undefined],
  ])('answers not found for %s', async (_name, user, id) => {
    const { runtime } = await openRuntime({ replies: ['One.', 'Two.'] });
    const first = await runtime.chat(ALICE, say('first'));
    await collect(first);
    const conversationId = id ?? first.conversationId;
    await expect(runtime.chat(user, say('again', { conversationId }))).rejects.toMatchObject({
      code: 'conversation_not_found',
    });
  });

  it('takes one turn at a time', async () => {
    const { runtime } = await openRuntime({ replies: [{ text: 'x', hang: true }, 'Two.'] });
    const first = await runtime.chat(ALICE, say('first'));
    const again = say('again', { conversationId: first.conversationId });
    await expect(runtime.chat(ALICE, again)).rejects.toMatchObject({ code: 'turn_running', status: 409 });
    expect(await runtime.cancel(ALICE, first.conversationId)).toBe(true);
    expect((await collect(first)).at(-1)).toMatchObject({ result: { status: 'cancelled', content: 'x' } });
    expect((await collect(await runtime.chat(ALICE, again))).at(-1)).toMatchObject({ result: { content: 'Two.' } });
  });

  it('refuses more turns than it has room for, and has room again afterwards', async () => {
    const agent = { server: { max_active_turns: 1 } };
    const { runtime, model } = await openRuntime({ replies: [{ text: 'x', hang: true }, 'Two.'], agent });
    const first = await runtime.chat(ALICE, say('first'));
    await expect.poll(() => model.requests.length).toBe(1);
    await expect(runtime.chat(BOB, say('me too'))).rejects.toMatchObject({ code: 'over_capacity', status: 429 });
    await runtime.cancel(ALICE, first.conversationId);
    await collect(await runtime.chat(BOB, say('me too')));
  });

  it('refuses to cancel for another user', async () => {
    const { runtime } = await openRuntime({ replies: [{ text: 'x', hang: true }] });
    const first = await runtime.chat(ALICE, say('first'));
    expect(await runtime.cancel(BOB, first.conversationId)).toBe(false);
    await runtime.cancel(ALICE, first.conversationId);
  });

  it('stops the model when the last viewer leaves, while it waits for the next word', async () => {
    const { runtime } = await openRuntime({ replies: [{ text: 'x', hang: true }] });
    const turn = await runtime.chat(ALICE, say('first'));
    await turn.events.next();
    const waiting = turn.events.next().then(() => turn.events.next().then(() => turn.events.next()));
    await turn.events.return?.();
    await waiting;
    await expect.poll(() => runtime.activeTurns).toBe(0);
    expect(await runtime.readNewestTurn(ALICE, turn.conversationId)).toMatchObject({ status: 'cancelled' });
  });

  it('continues without viewers if there is a key', async () => {
    const finish = Promise.withResolvers<string>();
    const slow = buildTool({ run: () => finish.promise });
    const { runtime } = await openRuntime({ replies: [callEcho, 'Done.'], tools: [slow] });
    const turn = await runtime.chat(ALICE, say('first', { idempotencyKey: 'k' }));
    await turn.events.next();
    await turn.events.return?.();
    finish.resolve('late');
    await expect.poll(() => runtime.activeTurns).toBe(0);
    expect(await runtime.readNewestTurn(ALICE, turn.conversationId)).toMatchObject({ status: 'completed' });
  });

  it('strips and checks the message before anything is written', async () => {
    const { runtime } = await openRuntime({ replies: [] });
    await expect(runtime.chat(ALICE, say(' \u0007 '))).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await runtime.listConversations(ALICE, { limit: 10 })).toEqual([]);
  });
});

describe('idempotency', () => {
  it('runs one turn for many requests with one key, also at the same moment', async () => {
    const { runtime, model } = await openRuntime({ replies: [callEcho, 'Done.'] });
    const request = say('hello', { idempotencyKey: 'same' });
    const turns = await Promise.all([1, 2, 3, 4].map(() => runtime.chat(ALICE, request)));
    const told = await Promise.all(turns.map(collect));
    expect(new Set(turns.map((turn) => turn.turnId)).size).toBe(1);
    expect(told.map((events) => events.at(-1))).toEqual(Array(4).fill(told[0]?.at(-1)));
    const later = await collect(await runtime.chat(ALICE, request));
    expect(later.at(-1)).toEqual(told[0]?.at(-1));
    expect(model.requests).toHaveLength(2);
  });

  it('refuses the key for another message, and knows it per user', async () => {
    const { runtime } = await openRuntime({ replies: ['One.', 'Two.'] });
    await collect(await runtime.chat(ALICE, say('hello', { idempotencyKey: 'same' })));
    await expect(runtime.chat(ALICE, say('bye', { idempotencyKey: 'same' }))).rejects.toMatchObject({
      code: 'idempotency_mismatch',
    });
    await collect(await runtime.chat(BOB, say('bye', { idempotencyKey: 'same' })));
  });
});

describe('waiting turns', () => {
  const deletion = buildTool({ name: 'remove', needsApproval: true, run: () => 'removed' });
  const askToRemove = { calls: [{ name: 'remove', arguments: { text: 'a' } }] };

  it('waits for a decision, holds no capacity, and continues after a restart', async () => {
    const opened = await openRuntime({ replies: [askToRemove], tools: [deletion] });
    const turn = await opened.runtime.chat(ALICE, say('remove a'));
    const events = await collect(turn);
    expect(events.at(-1)).toMatchObject({ type: 'turn-wait', result: { status: 'waiting', finish_reason: 'waiting' } });
    expect(opened.runtime.activeTurns).toBe(0);
    const again = say('hello?', { conversationId: turn.conversationId });
    await expect(opened.runtime.chat(ALICE, again)).rejects.toMatchObject({ code: 'awaiting_input', status: 409 });
    await opened.runtime.stop();

    const { runtime } = await openRuntime({ replies: ['Removed.'], tools: [deletion], folder: opened.folder });
    const call_id = String(events.flatMap((event) => (event.type === 'tool-call-wait' ? [event.call_id] : []))[0]);
    const input = { conversationId: turn.conversationId, answers: [{ call_id, approved: true }] };
    await expect(runtime.answer(BOB, input)).rejects.toMatchObject({ code: 'conversation_not_found' });
    const rest = await collect(await runtime.answer(ALICE, input));
    expect(rest.at(-1)).toMatchObject({ result: { status: 'completed', content: 'Removed.' } });
    const actions = (await runtime.readAudit(ALICE, { limit: 10 })).map((record) => record.action);
    expect(actions.sort()).toEqual(['approval', 'call']);
  });

  it('never runs a denied call, and sends the model the reason', async () => {
    let runs = 0;
    const tool = { ...deletion, run: async () => ({ result: ++runs }) };
    const { runtime, model } = await openRuntime({ replies: [askToRemove, 'As you wish.'], tools: [tool] });
    const turn = await runtime.chat(ALICE, say('remove a'));
    const wait = (await collect(turn)).find((event) => event.type === 'tool-call-wait');
    const call_id = wait?.type === 'tool-call-wait' ? wait.call_id : '';
    const answers = [{ call_id, approved: false, reason: 'not today' }];
    const rest = await collect(await runtime.answer(ALICE, { conversationId: turn.conversationId, answers }));
    expect(rest.at(-1)).toMatchObject({ result: { content: 'As you wish.', tool_calls: [{ state: 'failed' }] } });
    expect(model.requests[1]?.messages.at(-1)?.content).toContain('not today');
    expect(runs).toBe(0);
  });

  it('asks again when the definition has changed since', async () => {
    const opened = await openRuntime({ replies: [askToRemove], tools: [deletion] });
    const turn = await opened.runtime.chat(ALICE, say('remove a'));
    const wait = (await collect(turn)).find((event) => event.type === 'tool-call-wait');
    const call_id = wait?.type === 'tool-call-wait' ? wait.call_id : '';
    await opened.runtime.stop();
    const changed = { ...deletion, description: 'Removes everything.' };
    const { runtime } = await openRuntime({ replies: [], tools: [changed], folder: opened.folder });
    const answers = [{ call_id, approved: true }];
    const rest = await collect(await runtime.answer(ALICE, { conversationId: turn.conversationId, answers }));
    expect(rest.at(-1)).toMatchObject({ type: 'turn-wait' });
  });
});

describe('questions of running calls', () => {
  const curious = buildTool({ run: async (_args, { ask }) => ({ said: await ask({ text: 'Which one?' }) }) });

  it('are answered from outside while the turn runs', async () => {
    const { runtime } = await openRuntime({ replies: [callEcho, 'Thanks.'], tools: [curious] });
    const turn = await runtime.chat(ALICE, say('hello'));
    const seen = [];
    for await (const event of turn.events) {
      seen.push(event);
      if (event.type !== 'tool-call-wait') continue;
      expect(event.wait).toEqual({ kind: 'input', question: 'Which one?' });
      const answers = [{ call_id: event.call_id, result: 'the red one' }];
      const { conversationId } = turn;
      await expect(runtime.answer(BOB, { conversationId, answers })).rejects.toMatchObject({ status: 404 });
      await runtime.answer(ALICE, { conversationId, answers });
    }
    expect(seen.at(-1)).toMatchObject({ result: { tool_calls: [{ result: { said: 'the red one' } }] } });
  });

  it('hold no capacity, and a new message fails with awaiting_input', async () => {
    const agent = { server: { max_active_turns: 1 } };
    const { runtime } = await openRuntime({ replies: [callEcho, 'Hi Bob.'], tools: [curious], agent });
    const turn = await runtime.chat(ALICE, say('hello', { idempotencyKey: 'k' }));
    for await (const event of turn.events) if (event.type === 'tool-call-wait') break;
    const again = say('hello?', { conversationId: turn.conversationId });
    await expect(runtime.chat(ALICE, again)).rejects.toMatchObject({ code: 'awaiting_input' });
    expect((await collect(await runtime.chat(BOB, say('hi')))).at(-1)).toMatchObject({
      result: { content: 'Hi Bob.' },
    });
    await runtime.cancel(ALICE, turn.conversationId);
  });

  it('end with the turn when it is cancelled', async () => {
    const { runtime } = await openRuntime({ replies: [callEcho], tools: [curious] });
    const turn = await runtime.chat(ALICE, say('hello'));
    const seen = [];
    for await (const event of turn.events) {
      seen.push(event);
      if (event.type === 'tool-call-wait') void runtime.cancel(ALICE, turn.conversationId);
    }
    expect(seen.at(-1)).toMatchObject({ result: { status: 'cancelled', tool_calls: [{ state: 'unknown' }] } });
  });
});

describe('bound arguments', () => {
  it("are the user's whatever the model sends, and every override is audited", async () => {
    const schema = { type: 'object', properties: { user_id: { type: 'string' } }, required: ['user_id'] };
    const sent: unknown[] = [];
    const tool = buildTool({ inputSchema: schema, bind: { user_id: '$user.id' }, run: (args) => sent.push(args) });
    const forged = {
      calls: [
        { name: 'echo', arguments: { user_id: BOB.id } },
        { name: 'echo', arguments: {} },
      ],
    };
    const { runtime, model } = await openRuntime({ replies: [forged, 'Done.'], tools: [tool] });
    await collect(await runtime.chat(ALICE, say('hello')));
    expect(sent).toEqual([{ user_id: ALICE.id }, { user_id: ALICE.id }]);
    expect(JSON.stringify(model.requests[0]?.tools)).not.toContain('user_id');
    const records = await runtime.readAudit(ALICE, { limit: 10 });
    expect(records.filter((record) => record.action === 'override')).toHaveLength(1);
    expect(records.filter((record) => record.action === 'call')).toHaveLength(2);
  });
});

describe('stop', () => {
  it('leaves a turn that does not finish in time so that the same key continues it', async () => {
    const opened = await openRuntime({ replies: [callEcho, { text: 'Half', hang: true }] });
    const request = say('hello', { idempotencyKey: 'same' });
    const turn = await opened.runtime.chat(ALICE, request);
    const told = collect(turn);
    await expect.poll(() => opened.model.requests.length).toBe(2);
    await opened.runtime.stop(0);
    expect((await told).at(-1)).toMatchObject({ type: 'turn-interrupt' });

    const { runtime, model } = await openRuntime({ replies: ['Whole.'], folder: opened.folder });
    const rest = await collect(await runtime.chat(ALICE, request));
    expect(rest.at(-1)).toMatchObject({ result: { status: 'completed', content: 'Whole.', iterations: 2 } });
    expect(model.requests).toHaveLength(1);
    expect((await runtime.readMessages(ALICE, turn.conversationId)).at(-1)).toMatchObject({ content: 'Whole.' });
  });
});
