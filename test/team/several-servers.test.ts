import { expect, it } from 'vitest';
import { createPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { ALICE, buildTool } from '../build.ts';
import { databaseOfFile } from '../postgres/database.ts';
import { temporaryFolder } from '../runtime.ts';
import { answer, delegateTo, handOver, openTeam, send } from './team.ts';

const database = databaseOfFile();

/** A server of the same database with the same team. */
async function openServer(ran: string[], onNote: () => Promise<void> = async () => {}) {
  const tools = ['refund', 'note'].map((name) =>
    buildTool({
      name,
      needsApproval: name === 'refund',
      run: async () => {
        ran.push(name);
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
  const second = await openServer(ran, () => {
    noted.resolve();
    return new Promise(() => {});
  });
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
