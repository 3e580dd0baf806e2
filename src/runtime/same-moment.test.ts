import { describe, expect, it } from 'vitest';
import { ALICE, buildTool } from '../../test/build.ts';
import { collect, openRuntime, temporaryFolder } from '../../test/runtime.ts';
import { foldEvents } from '../agent/turn-state.ts';
import { AppError } from '../errors.ts';
import type { Event } from '../schema/conversation/event.ts';
import { createSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import type { ChatTurn } from './turn/turn.ts';

const say = (message: string, more = {}) => ({ agent: 'helper', message, ...more });
const careful = (run = () => 'removed') => buildTool({ name: 'remove', needsApproval: true, run });
const callOf = (...names: string[]) => ({ calls: names.map((name) => ({ name })) });

/** Reads until an event of this type and returns it. */
async function readTo<T extends Event['type']>(turn: ChatTurn, type: T): Promise<Extract<Event, { type: T }>> {
  for (;;) {
    const next = await turn.events.next();
    if (next.done) throw new Error(`the turn ended without ${type}`);
    if (next.value.type === type) return next.value as Extract<Event, { type: T }>; // just compared
  }
}

describe('an approval', () => {
  it('that a changed definition voided stays void', async () => {
    const opened = await openRuntime({ replies: [callOf('remove')], tools: [careful()] });
    const turn = await opened.runtime.chat(ALICE, say('remove it'));
    const { call_id } = await readTo(turn, 'tool-call-wait');
    await collect(turn);
    await opened.runtime.stop();
    const ran: string[] = [];
    const changed = { ...careful(() => String(ran.push('x'))), description: 'Removes everything.' };
    const { runtime } = await openRuntime({ replies: ['Done.', 'Done.'], tools: [changed], folder: opened.folder });
    const { conversationId } = turn;
    await collect(await runtime.answer(ALICE, { conversationId, answers: [{ call_id, approved: true }] }));
    await expect(runtime.answer(ALICE, { conversationId, answers: [] })).rejects.toMatchObject({ status: 422 });
    await runtime.stop();
    const again = await openRuntime({ replies: [], tools: [changed], folder: opened.folder });
    expect(await again.runtime.readNewestTurn(ALICE, conversationId)).toMatchObject({ status: 'waiting' });
    expect(ran).toEqual([]);
  });

  it('given while another call of the reply still runs is taken when that one is done', async () => {
    const slow = Promise.withResolvers<string>();
    const tools = [careful(), buildTool({ name: 'slow', run: () => slow.promise })];
    const { runtime } = await openRuntime({ replies: [callOf('remove', 'slow'), 'Both done.'], tools });
    const turn = await runtime.chat(ALICE, say('go', { idempotencyKey: 'k' }));
    const { call_id } = await readTo(turn, 'tool-call-wait');
    const answered = runtime.answer(ALICE, {
      conversationId: turn.conversationId,
      answers: [{ call_id, approved: true }],
    });
    slow.resolve('late');
    expect((await collect(await answered)).at(-1)).toMatchObject({ result: { content: 'Both done.' } });
  });
});

describe('cancel', () => {
  it('ends a turn whose call waits while another one runs', async () => {
    const tools = [careful(), buildTool({ name: 'slow', run: () => new Promise(() => {}) })];
    const { runtime } = await openRuntime({ replies: [callOf('remove', 'slow')], tools });
    const turn = await runtime.chat(ALICE, say('go', { idempotencyKey: 'k' }));
    await readTo(turn, 'tool-call-run');
    expect(await runtime.cancel(ALICE, turn.conversationId)).toBe(true);
    expect(await runtime.readNewestTurn(ALICE, turn.conversationId)).toMatchObject({ status: 'cancelled' });
  });

  it('that comes twice leaves the next turn alone', async () => {
    const replies = [
      { text: 'Half', hang: true },
      { text: 'Whole.', delayMs: 30 },
    ];
    const { runtime } = await openRuntime({ replies });
    const turn = await runtime.chat(ALICE, say('go', { idempotencyKey: 'k' }));
    await readTo(turn, 'text-delta');
    const { conversationId } = turn;
    const first = runtime.cancel(ALICE, conversationId);
    const second = runtime.cancel(ALICE, conversationId);
    expect(await first).toBe(true);
    const next = await runtime.chat(ALICE, { ...say('again'), conversationId });
    await second;
    expect((await collect(next)).at(-1)).toMatchObject({ result: { status: 'completed', content: 'Whole.' } });
  });

  it('may be asked for twice at once', async () => {
    const { runtime } = await openRuntime({ replies: [callOf('remove')], tools: [careful()] });
    const turn = await runtime.chat(ALICE, say('go'));
    await collect(turn);
    const both = await Promise.all([1, 2].map(() => runtime.cancel(ALICE, turn.conversationId)));
    expect(both).toContain(true);
    expect(await runtime.readNewestTurn(ALICE, turn.conversationId)).toMatchObject({ status: 'cancelled' });
  });
});

describe('a call that is over', () => {
  it('is not opened again by a question that comes late', async () => {
    let ask: (() => Promise<unknown>) | undefined;
    const late = buildTool({
      name: 'late',
      run: (_args, context) => {
        ask = () => context.ask({ text: 'Still there?' });
        return new Promise(() => {});
      },
    });
    let runs = 0;
    const next = buildTool({ run: () => ask?.().catch(() => runs++) as never }); // the refusal is what counts
    const replies = [callOf('late'), callOf('echo'), 'Done.'];
    const agent = { loop: { tool_timeout_seconds: 0.2 } };
    const { runtime } = await openRuntime({ replies, tools: [late, next], agent });
    const events = await collect(await runtime.chat(ALICE, say('go')));
    expect(events.at(-1)).toMatchObject({ type: 'turn-end' });
    const ran = events.flatMap((event) => (event.type === 'tool-call-run' ? [event.tool] : []));
    expect(ran).toEqual(['late', 'echo']);
  });
});

describe('retries', () => {
  it('of an interrupted turn at the same moment join one attempt', async () => {
    const opened = await openRuntime({ replies: [{ text: 'Half', hang: true }] });
    const request = say('hello', { idempotencyKey: 'same' });
    const turn = await opened.runtime.chat(ALICE, request);
    await readTo(turn, 'text-delta');
    await opened.runtime.stop();
    const { runtime, model } = await openRuntime({ replies: ['Whole.'], folder: opened.folder });
    const told = await Promise.all([1, 2, 3].map(async () => collect(await runtime.chat(ALICE, request))));
    expect(told.map((events) => events.at(-1))).toEqual(Array(3).fill(told[0]?.at(-1)));
    expect(model.requests).toHaveLength(1);
  });

  it('of a turn that the conversation has continued after are refused', async () => {
    const opened = await openRuntime({ replies: [{ text: 'Half', hang: true }] });
    const request = say('first', { idempotencyKey: 'same' });
    const turn = await opened.runtime.chat(ALICE, request);
    await readTo(turn, 'text-delta');
    await opened.runtime.stop();
    const { runtime } = await openRuntime({ replies: ['Second.'], folder: opened.folder });
    await collect(await runtime.chat(ALICE, say('second', { conversationId: turn.conversationId })));
    await expect(runtime.chat(ALICE, request)).rejects.toMatchObject({ code: 'turn_interrupted' });
  });
});

describe('stop', () => {
  it('waits for a request that was admitted before', async () => {
    const { runtime } = await openRuntime({ replies: ['Hi.'] });
    const asked = runtime.chat(ALICE, say('hello'));
    await runtime.stop(5_000);
    expect((await collect(await asked)).at(-1)).toMatchObject({ type: 'turn-end' });
  });
});

describe('a failure to load history or tools', () => {
  it('ends the turn, not the journal', async () => {
    const broken = {
      name: 'broken',
      tools: () => Promise.reject(new Error('no')),
      status: () => ({ state: 'ready' as const, tools: [] }),
      close: async () => {},
    };
    const { runtime } = await openRuntime({ replies: [], sources: [broken] });
    const turn = await runtime.chat(ALICE, say('hello'));
    expect((await collect(turn)).at(-1)).toMatchObject({ result: { status: 'error', error: { code: 'internal' } } });
    expect(runtime.findProblem()).toBeUndefined();
  });
});

describe('a store that fails in the middle of a turn', () => {
  it('leaves the turn interrupted and the conversation usable once it takes writes again', async () => {
    const folder = temporaryFolder();
    const real = createSqliteStore({ folder });
    let isFull = false;
    const store: Store = {
      ...real,
      writeTurn: (...write) =>
        isFull
          ? Promise.reject(new AppError('store_unavailable', { detail: 'The disk is full.' }))
          : real.writeTurn(...write),
    };
    const effects: string[] = [];
    const tool = buildTool({
      run: () => {
        isFull = true;
        return String(effects.push('paid'));
      },
    });
    const { runtime } = await openRuntime({ replies: [callOf('echo'), 'Again.'], tools: [tool], folder, store });
    const turn = await runtime.chat(ALICE, say('pay', { idempotencyKey: 'k' }));
    await expect(collect(turn)).rejects.toMatchObject({ code: 'store_unavailable' });
    isFull = false;
    const next = say('what now?', { conversationId: turn.conversationId });
    expect((await collect(await runtime.chat(ALICE, next))).at(-1)).toMatchObject({ result: { content: 'Again.' } });
    const events = await runtime.readEvents(ALICE, turn.turnId);
    expect(foldEvents(events)).toMatchObject({ status: 'interrupted', calls: [{ state: 'unknown' }] });
    expect(effects).toEqual(['paid']);
  });
});

describe('a turn that is stored and does not run yet', () => {
  /** A store that holds back the answer to the begin of a second turn. */
  function openHeld() {
    const folder = temporaryFolder();
    const real = createSqliteStore({ folder });
    const [begun, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let begins = 0;
    const store: Store = {
      ...real,
      async beginTurn(...begin) {
        const taken = await real.beginTurn(...begin);
        if (++begins < 2) return taken;
        begun.resolve();
        await answer.promise;
        return taken;
      },
    };
    return { scene: { folder, store }, begun: begun.promise, answer: () => answer.resolve() };
  }

  it('is no reason for its deletion to wait', async () => {
    const { scene, begun, answer } = openHeld();
    const ran: string[] = [];
    const tools = [buildTool({ run: () => String(ran.push('ran')) })];
    const { runtime } = await openRuntime({ replies: ['Hi.', callOf('echo')], tools, ...scene });
    const { conversationId, events } = await runtime.chat(ALICE, say('hello'));
    await collect({ events } as ChatTurn); // only its events are read
    const second = runtime.chat(ALICE, say('again', { conversationId, keepsGoing: true }));
    await begun;
    // The answer comes only after the deletion, so a deletion that waits for the turn would never end.
    expect(await runtime.deleteConversation(ALICE, conversationId)).toBe(true);
    answer();
    await collect(await second).catch((error: AppError) => error.code);
    expect(ran).toEqual([]);
    expect(await runtime.readConversation(ALICE, conversationId)).toBeUndefined();
  }, 10_000);

  it('is cancelled as soon as it runs', async () => {
    const { scene, begun, answer } = openHeld();
    const { runtime } = await openRuntime({ replies: ['Hi.', { text: 'Half', hang: true }], ...scene });
    const { conversationId, events } = await runtime.chat(ALICE, say('hello'));
    await collect({ events } as ChatTurn); // only its events are read
    const second = runtime.chat(ALICE, say('again', { conversationId }));
    await begun;
    const cancelled = runtime.cancel(ALICE, conversationId);
    answer();
    expect(await cancelled).toBe(true);
    expect((await collect(await second)).at(-1)).toMatchObject({ result: { status: 'cancelled' } });
  });
});
