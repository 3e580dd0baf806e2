import { beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../src/errors.ts';
import type { ModelRequest } from '../../src/models/model.ts';
import type { Runtime } from '../../src/runtime/runtime.ts';
import { createPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { ALICE, buildTool } from '../build.ts';
import { databaseOfFile } from '../postgres/database.ts';
import { collect, temporaryFolder } from '../runtime.ts';
import { serveRuntime } from '../server/server.ts';
import { answer, delegateTo, handOver, openTeam, send } from './team.ts';

const database = databaseOfFile();
beforeEach(database.empty);

interface OpenServer extends Partial<Parameters<typeof openTeam>[0]> {
  onNote?: () => Promise<void>;
}

/** A server of the same database with the same team. */
async function openServer(ran: string[], { onNote = async () => {}, ...more }: OpenServer = {}) {
  const tools = ['refund', 'note'].map((name) =>
    buildTool({
      name,
      needsApproval: name === 'refund',
      run: async ({ text }) => {
        ran.push(text === undefined ? name : `${name} ${text}`);
        if (name === 'note') await onNote();
        return name;
      },
    }),
  );
  const store = await createPostgresStore({ url: database.url });
  return openTeam({
    store,
    folder: temporaryFolder(),
    sub_agents: ['desk'],
    members: { desk: { sub_agents: ['till'], members: { till: {} } } },
    tools,
    script: {
      lead: (step) => (step === 0 ? { calls: [delegateTo('desk', 'Refund 7.')] } : 'All done.'),
      'lead/desk': (step) => (step === 0 ? { calls: [delegateTo('till', 'Pay 7.')] } : 'Paid.'),
      'lead/desk/till': (step) => [{ calls: [{ name: 'refund' }] }, { calls: [{ name: 'note' }] }][step] ?? 'Counted.',
    },
    ...more,
  });
}

it('a second server answers for a member, and continues the tree that the first one left', async () => {
  const ran: string[] = [];
  const first = await openServer(ran);
  const asked = await send(first.runtime, 'Refund order 7');
  expect(asked.result.asked).toMatchObject([{ tool: 'refund', agent: 'till' }]);
  await first.runtime.stop();

  // This server stops while the lowest member works: its call is unknown, and nothing above it is.
  const noted = Promise.withResolvers<void>();
  const onNote = () => {
    noted.resolve();
    return new Promise<void>(() => {});
  };
  const second = await openServer(ran, { onNote });
  const answers = [{ call_id: asked.result.asked?.[0]?.call_id ?? '', approved: true }];
  const resumed = await second.runtime.answer(ALICE, { conversationId: asked.conversationId, answers });
  await noted.promise;
  await second.runtime.stop();
  await resumed.events.return?.();

  const third = await openServer(ran);
  const { conversationId } = asked;
  const turn = await third.runtime.continueInterrupted(ALICE, { conversationId });
  for await (const _event of turn.events);
  const result = (await third.runtime.readEvents(ALICE, asked.turnId)).findLast(({ type }) => type === 'turn-end');
  expect(result).toMatchObject({ result: { status: 'completed', content: 'All done.' } });
  expect(ran).toEqual(['refund', 'note']);
  const again = answer(third.runtime, conversationId, answers);
  await expect(again).rejects.toMatchObject({ code: 'invalid_request' });
});

it('a conversation that was handed over stays with its member on every server', async () => {
  const ran: string[] = [];
  const open = async () => {
    const refund = buildTool({ name: 'refund', needsApproval: true, run: () => ran.push('refund') });
    const { runtime } = await openTeam({
      store: await createPostgresStore({ url: database.url }),
      folder: temporaryFolder(),
      handoffs: ['till'],
      members: { till: {} },
      tools: [refund],
      script: {
        lead: () => ({ calls: [handOver('till', 'A refund')] }),
        'lead/till': (step, { messages }) => {
          const isFirst = messages.findLast(({ role }) => role === 'user')?.content.startsWith('Refund');
          return isFirst && step === 0 ? { calls: [{ name: 'refund' }] } : 'This is the till.';
        },
      },
    });
    return runtime;
  };
  const first = await open();
  const asked = await send(first, 'Refund order 7');
  expect(asked.result).toMatchObject({ status: 'waiting', agent: 'till' });
  await first.stop();
  const second = await open();
  const { conversationId } = asked;
  const answers = [{ call_id: asked.result.tool_calls[1]?.id ?? '', approved: true }];
  const paid = await answer(second, conversationId, answers);
  expect(paid.result).toMatchObject({ content: 'This is the till.', agent: 'till' });
  expect(ran).toEqual(['refund']);
  const third = await open();
  expect((await send(third, 'And?', { conversationId })).result).toMatchObject({ agent: 'till' });
});

const readStatuses = async () => {
  const turns = await database.run('SELECT agent, status FROM turns ORDER BY number');
  return turns.map(({ agent, status }) => `${agent}: ${status}`);
};
const CANCELLED = ['lead: cancelled', 'lead/desk: cancelled', 'lead/desk/till: cancelled'];

/** Two servers; the first one's lowest member is in the middle of `note`. */
async function openAtWork(ran: string[]) {
  const noted = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const onNote = () => {
    noted.resolve();
    return released.promise;
  };
  const [first, second] = [await openServer(ran, { onNote }), await openServer(ran)];
  const { conversationId, result } = await send(first.runtime, 'Refund order 7');
  const answers = [{ call_id: result.asked?.[0]?.call_id ?? '', approved: true }];
  const turn = await first.runtime.answer(ALICE, { conversationId, answers });
  const left = collect(turn).catch(() => []);
  await noted.promise;
  return { conversationId, second: second.runtime, left, release: released.resolve };
}

describe('from another server a tree', () => {
  it.each([
    ['cancelled', 'cancel', CANCELLED],
    ['deleted', 'deleteConversation', []],
  ] as const)('is %s while it waits', async (_, how, expected) => {
    const ran: string[] = [];
    const [first, second] = [await openServer(ran), await openServer(ran)];
    const { conversationId, result } = await send(first.runtime, 'Refund order 7');
    expect(await second.runtime[how](ALICE, conversationId)).toBe(true);
    expect(await readStatuses()).toEqual(expected);
    const answers = [{ call_id: result.asked?.[0]?.call_id ?? '', approved: true }];
    await expect(answer(first.runtime, conversationId, answers)).rejects.toThrow(AppError);
    expect(ran).toEqual([]);
  });

  it.each([
    ['cancelled', 'cancel', CANCELLED],
    ['deleted', 'deleteConversation', []],
  ] as const)('is %s while it works', async (_, how, expected) => {
    const ran: string[] = [];
    const { conversationId, second, left } = await openAtWork(ran);
    expect(await second[how](ALICE, conversationId)).toBe(true);
    await left;
    expect(await readStatuses()).toEqual(expected);
    expect(ran).toEqual(['refund', 'note']);
  });

  it('is continued once the lease of its server is over, which cannot write any more', async () => {
    const ran: string[] = [];
    const { conversationId, second, left, release } = await openAtWork(ran);
    await database.run(
      "UPDATE runners SET expires_at = now() - interval '1 s' WHERE id IN (SELECT runner_id FROM turns)",
    );
    const continued = await second.continueInterrupted(ALICE, { conversationId });
    release();
    expect((await collect(continued)).at(-1)).toMatchObject({ result: { status: 'completed', content: 'All done.' } });
    await left;
    expect(await readStatuses()).toEqual(['lead: completed', 'lead/desk: completed', 'lead/desk/till: completed']);
    expect(ran).toEqual(['refund', 'note']);
  });
});

it('eight approvals are given out of order on two servers, each of them twice', async () => {
  const ran: string[] = [];
  const eight = {
    sub_agents: ['till'],
    members: { till: {} },
    script: {
      lead: (step: number) =>
        step === 0 ? { calls: Array.from({ length: 8 }, (_, place) => delegateTo('till', `${place}`)) } : 'All done.',
      'lead/till': (step: number, { messages }: ModelRequest) => {
        const text = messages.findLast(({ role }) => role === 'user')?.content ?? '';
        return step === 0 ? { calls: [{ name: 'refund', arguments: { text } }] } : 'Counted.';
      },
    },
  };
  const servers = [await openServer(ran, eight), await openServer(ran, eight)].map(({ runtime }) => runtime);
  const { conversationId, result } = await send(servers[0] as Runtime, 'Refund all');
  const nameOf = (call_id: string) => result.asked?.find((one) => one.call_id === call_id)?.arguments?.text;
  const byText = new Map(result.asked?.map(({ call_id }) => [Number(nameOf(call_id)), call_id]));
  for (const places of [[5], [2, 7], [0], [6, 1], [3], [4]]) {
    const answers = places.map((place) => ({ call_id: byText.get(place) ?? '', approved: place !== 3 }));
    const given = { conversationId, answers, idempotencyKey: places.join() };
    const seen = await Promise.all(servers.map(async (runtime) => collect(await runtime.answer(ALICE, given))));
    // Both have the attempt that took the answers, to its end.
    const last = places[0] === 4 ? 'turn-end' : 'turn-wait';
    expect(seen.map((events) => [events[0]?.type, events.at(-1)?.type])).toEqual([
      ['turn-resume', last],
      ['turn-resume', last],
    ]);
  }
  expect(ran.toSorted()).toEqual([0, 1, 2, 4, 5, 6, 7].map((place) => `refund ${place}`));
  expect(new Set(await readStatuses())).toEqual(new Set(['lead: completed', 'lead/till: completed']));
});

describe.each(['SQLite', 'PostgreSQL'])('a tree on %s', (kind) => {
  it('is one turn for every limit of its user', async () => {
    const noted = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const server = { max_active_turns: 1, max_active_turns_per_user: 1, rate_limit: { turns_per_minute: 3 } };
    const refund = buildTool({ name: 'refund' });
    const note = buildTool({
      name: 'note',
      async run() {
        noted.resolve();
        await released.promise;
        return 'noted';
      },
    });
    const place = kind === 'SQLite' ? { store: createSqliteStore({ folder: temporaryFolder() }) } : {};
    const { runtime } = await openServer([], { ...place, parts: { server }, tools: [refund, note] });
    const { call } = await serveRuntime(runtime);
    const say = () => call('POST /agent/lead/chat', { body: { message: 'Refund order 7' } });
    const first = say();
    await noted.promise;
    // Three turns run, and they are the one that is allowed.
    expect([runtime.activeTurns, (await say()).status]).toEqual([1, 429]);
    released.resolve();
    expect(await (await first).json()).toMatchObject({ content: 'All done.' });
    // The refused message counts for the rate; with the members' turns there would be no room for this one.
    expect((await say()).status).toBe(200);
  });
});
