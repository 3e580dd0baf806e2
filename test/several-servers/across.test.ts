import { beforeEach, describe, expect, it } from 'vitest';
import { createClientTool } from '../../src/runtime/turn/client-tools.ts';
import type { ChatTurn } from '../../src/runtime/turn/turn.ts';
import type { Event } from '../../src/schema/conversation/event.ts';
import { createPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { ALICE, BOB, buildTool } from '../build.ts';
import { databaseOfFile } from '../postgres/database.ts';
import { collect, openRuntime, type Scene } from '../runtime.ts';

const database = databaseOfFile();
const say = (message: string, more = {}) => ({ agent: 'helper', message, ...more });

/** The runtime of a server on the shared database. */
async function openServer(scene: Scene, leaseMs = 8_000) {
  const store = await createPostgresStore({ url: database.url, leaseMs });
  return { ...(await openRuntime({ ...scene, store })), store };
}

async function readTo<T extends Event['type']>(turn: ChatTurn, type: T): Promise<Extract<Event, { type: T }>> {
  for (;;) {
    const next = await turn.events.next();
    if (next.done) throw new Error(`the turn ended without ${type}`);
    if (next.value.type === type) return next.value as Extract<Event, { type: T }>; // just compared
  }
}

beforeEach(async () => {
  const store = await createPostgresStore({ url: database.url });
  await store.close();
  await database.empty();
});

describe('an answer given at another server', () => {
  const careful = (ran: string[]) =>
    buildTool({ name: 'remove', needsApproval: true, run: () => String(ran.push('removed')) });

  it('approves a call of a turn that waits', async () => {
    const ran: string[] = [];
    const replies = [{ calls: [{ name: 'remove' }] }];
    const a = await openServer({ replies, tools: [careful(ran)] });
    const b = await openServer({ replies: ['Done at B.'], tools: [careful(ran)] });
    const turn = await a.runtime.chat(ALICE, say('remove it'));
    const { call_id } = await readTo(turn, 'tool-call-wait');
    await collect(turn);
    const { conversationId } = turn;
    const input = { conversationId, answers: [{ call_id, approved: true }], idempotencyKey: 'yes' };
    const events = await collect(await b.runtime.answer(ALICE, input));
    expect(events.at(-1)).toMatchObject({ type: 'turn-end', result: { content: 'Done at B.' } });
    await collect(await a.runtime.answer(ALICE, input));
    expect(ran).toEqual(['removed']);
  });

  it('approves a call while another call of its reply still runs, and is taken when that one is done', async () => {
    const ran: string[] = [];
    const slow = Promise.withResolvers<string>();
    const tools = [careful(ran), buildTool({ name: 'slow', run: () => slow.promise })];
    const a = await openServer({ replies: [{ calls: [{ name: 'remove' }, { name: 'slow' }] }], tools });
    const b = await openServer({ replies: ['Both done.'], tools });
    const turn = await a.runtime.chat(ALICE, say('go', { keepsGoing: true }));
    const { call_id } = await readTo(turn, 'tool-call-wait');
    const answered = b.runtime.answer(ALICE, {
      conversationId: turn.conversationId,
      answers: [{ call_id, approved: true }],
    });
    setTimeout(() => slow.resolve('late'), 300);
    expect((await collect(await answered)).at(-1)).toMatchObject({ result: { content: 'Both done.' } });
    expect(ran).toEqual(['removed']);
  });

  it('brings the result of a front-end tool', async () => {
    const clientTools = [createClientTool({ name: 'locate', description: 'Finds the user.' })];
    const a = await openServer({ replies: [{ calls: [{ name: 'locate' }] }] });
    const b = await openServer({ replies: ['You are in Rome.'] });
    const turn = await a.runtime.chat(ALICE, say('where am I?', { clientTools }));
    const { call_id } = await readTo(turn, 'tool-call-wait');
    await collect(turn);
    const { conversationId } = turn;
    const answers = [{ call_id, result: { city: 'Rome' } }];
    const events = await collect(await b.runtime.answer(ALICE, { conversationId, answers }));
    expect(events.at(-1)).toMatchObject({ result: { content: 'You are in Rome.' } });
    expect(JSON.stringify(b.model.requests[0]?.messages)).toContain('Rome');
  });

  it('reaches the question of a call that runs', async () => {
    const asking = buildTool({
      name: 'book',
      run: (_args, context) =>
        context.ask({ text: 'Which day?', schema: { type: 'object', properties: { day: { type: 'string' } } } }),
    });
    const a = await openServer({ replies: [{ calls: [{ name: 'book' }] }, 'Booked.'], tools: [asking] });
    const b = await openServer({ replies: [], tools: [asking] });
    const turn = await a.runtime.chat(ALICE, say('book', { keepsGoing: true }));
    const { call_id } = await readTo(turn, 'tool-call-wait');
    await readTo(turn, 'turn-wait');
    const { conversationId } = turn;
    const answers = [{ call_id, result: { day: 'Monday' } }];
    const events = await collect(await b.runtime.answer(ALICE, { conversationId, answers }));
    expect(events.at(-1)).toMatchObject({ result: { content: 'Booked.' } });
    expect(JSON.stringify(a.model.requests[1]?.messages)).toContain('Monday');
  });
});

describe('a server that was declared dead', () => {
  it('leaves its turns to others, tells their readers, and takes new turns under a new id', async () => {
    let asked = 0;
    const a = await openServer({ replies: () => (asked++ === 0 ? { text: 'Half', hang: true } : 'Fresh.') }, 1_000);
    const turn = await a.runtime.chat(ALICE, say('hello', { idempotencyKey: 'k' }));
    await readTo(turn, 'text-delta');
    const before = await database.run('SELECT id FROM runners');
    await database.run('DELETE FROM runners');
    const left = await collect(turn).then(
      (events) => events.at(-1)?.type,
      (error: { code: string }) => error.code,
    );
    // The order of the renewal and of the search for dead servers decides which of the two it is.
    expect(['turn-interrupt', 'turn_taken_over']).toContain(left);
    // It searches for turns of dead servers itself, and finds this one.
    await expect.poll(() => a.store.readTurn(ALICE, turn.turnId)).toMatchObject({ status: 'completed', attempt: 2 });
    await expect.poll(() => database.run('SELECT id FROM runners')).toHaveLength(1);
    expect(await database.run('SELECT id FROM runners')).not.toEqual(before);
    const next = await collect(await a.runtime.chat(ALICE, say('again')));
    expect(next.at(-1)).toMatchObject({ type: 'turn-end', result: { content: 'Fresh.' } });
    expect(a.runtime.activeTurns).toBe(0);
  });
});

describe('limits of one user', () => {
  it('count running turns of all servers', async () => {
    const agent = { server: { max_active_turns_per_user: 2 } };
    const replies = () => ({ text: 'Half', hang: true });
    const [a, b] = [await openServer({ replies, agent }), await openServer({ replies, agent })];
    for (const { runtime } of [a, b]) await readTo(await runtime.chat(ALICE, say('hello')), 'text-delta');
    const refused = { code: 'over_capacity', status: 429 };
    await expect(a.runtime.chat(ALICE, say('third'))).rejects.toMatchObject(refused);
    await expect(b.runtime.chat(ALICE, say('third'))).rejects.toMatchObject(refused);
    await readTo(await b.runtime.chat(BOB, say('hello')), 'text-delta');
  });

  it('count the turns of a minute of all servers', async () => {
    const agent = { server: { rate_limit: { turns_per_minute: 3 } } };
    const replies = () => 'Hi.';
    const [a, b] = [await openServer({ replies, agent }), await openServer({ replies, agent })];
    for (const { runtime } of [a, b, a]) await collect(await runtime.chat(ALICE, say('hello')));
    for (const { runtime } of [a, b]) {
      await expect(runtime.chat(ALICE, say('fourth'))).rejects.toMatchObject({ code: 'rate_limited' });
    }
    await collect(await b.runtime.chat(BOB, say('hello')));
  });
});
