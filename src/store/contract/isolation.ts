import { describe, expect, it } from 'vitest';
import { newUlid } from '../../schema/new-ulid.ts';
import type { Store, TurnLease } from '../store.ts';
import { ANN, attachmentOf, auditOf, BOB, messageOf, NOW, newTurn } from './fixtures.ts';
import type { World } from './world.ts';

/** Parts of a store that serve the process itself; no request of a user reaches them. */
const OF_THE_PROCESS = [
  ...['recover', 'close', 'findProblem', 'countActive', 'changeMark', 'describe'],
  ...['isShared', 'segmentMs', 'bus', 'takeRequests', 'listToContinue', 'onLost', 'mayAct'],
];

export function describeIsolation(world: World): void {
  describe('isolation', () => {
    type Target = Pick<TurnLease, 'turnId' | 'conversationId' | 'version' | 'runner'>;
    type Probe = (target: Target) => Promise<unknown>;
    const write = { events: [] };
    const annsAnswer = messageOf('assistant');
    const probes: [keyof Store, Probe][] = [
      ['beginTurn', ({ conversationId }) => world.store.beginTurn(BOB, newTurn({ conversationId }))],
      ['continueTurn', ({ turnId }) => world.store.continueTurn(BOB, { turnId, attempt: 2, write })],
      ['interruptTurn', (target) => world.store.interruptTurn(BOB, { ...target, attempt: 1 })],
      ['writeTurn', (target) => world.store.writeTurn(BOB, { ...target, attempt: 1 }, write)],
      ['readTurn', ({ turnId }) => world.store.readTurn(BOB, turnId)],
      ['readNewestTurn', ({ conversationId }) => world.store.readNewestTurn(BOB, conversationId)],
      ['readNextTurn', ({ turnId }) => world.store.readNextTurn(BOB, turnId)],
      ['readTurnByMessage', ({ turnId, conversationId }) => world.store.readTurnByMessage(BOB, conversationId, turnId)],
      ['listTurns', ({ conversationId }) => world.store.listTurns(BOB, conversationId, { limit: 9 })],
      ['describeTurns', ({ conversationId }) => world.store.describeTurns(BOB, conversationId, { limit: 9 })],
      [
        'setFeedback',
        ({ conversationId }) =>
          world.store.setFeedback(BOB, conversationId, { messageId: annsAnswer.id, rating: 'up' }),
      ],
      ['readResult', ({ turnId }) => world.store.readResult(BOB, turnId)],
      ['readTurnByKey', ({ turnId }) => world.store.readTurnByKey(BOB, 'todo', `key ${turnId}`)],
      ['readEvents', ({ turnId }) => world.store.readEvents(BOB, turnId)],
      [
        'readEventsAfter',
        ({ turnId }) => world.store.readEventsAfter(BOB, { turn: turnId, attempt: 0, seq: 0, offset: 0 }),
      ],
      ['readConversation', ({ conversationId }) => world.store.readConversation(BOB, conversationId)],
      ['readNewestThread', ({ turnId }) => world.store.readNewestThread(BOB, 'todo', `thread ${turnId}`)],
      ['readThread', ({ turnId }) => world.store.readThread(BOB, 'todo', `thread ${turnId}`)],
      [
        'listConversations',
        ({ conversationId }) => world.store.listConversations(BOB, { limit: 9, before: conversationId }),
      ],
      ['searchConversations', () => world.store.searchConversations(BOB, { q: 'done', limit: 9 })],
      [
        'updateConversation',
        ({ conversationId }) =>
          world.store.updateConversation(BOB, conversationId, { title: 'x', pinned: true, metadata: { mine: 1 } }),
      ],
      ['readMessages', ({ conversationId }) => world.store.readMessages(BOB, conversationId)],
      ['readHistory', ({ conversationId }) => world.store.readHistory(BOB, conversationId)],
      ['readTurnOfMessage', ({ conversationId }) => world.store.readTurnOfMessage(BOB, conversationId, annsAnswer.id)],
      [
        'addConversation',
        () => {
          const made = {
            conversationId: newUlid(),
            agent: 'todo',
            turns: [],
            metadata: {},
            now: '2026-01-05T10:00:00.000Z',
          };
          return world.store.addConversation(BOB, made);
        },
      ],
      ['addAudit', () => world.store.addAudit(BOB, [])],
      ['readPath', ({ turnId }) => world.store.readPath(BOB, turnId)],
      ['readAttachments', ({ conversationId }) => world.store.readAttachments(BOB, conversationId, { maxChars: 9 })],
      ['readAttachmentText', ({ conversationId }) => world.store.readAttachmentText(BOB, conversationId, 0)],
      [
        'touchConversation',
        ({ conversationId }) => world.store.touchConversation(BOB, conversationId, '2099-01-01T00:00:00Z'),
      ],
      ['deleteConversation', ({ conversationId }) => world.store.deleteConversation(BOB, conversationId)],
      ['readAcceptedTools', ({ turnId }) => world.store.readAcceptedTools(BOB, { agent: 'todo', server: turnId })],
      ['acceptTools', ({ turnId }) => world.store.acceptTools(BOB, { agent: 'todo', server: turnId }, {})],
      ['readSecret', ({ turnId }) => world.store.readSecret(BOB, turnId)],
      ['writeSecret', ({ turnId }) => world.store.writeSecret(BOB, { name: turnId, value: 'x', now: NOW })],
      ['takeSecret', ({ turnId }) => world.store.takeSecret(BOB, turnId)],
      ['listSecrets', () => world.store.listSecrets(BOB)],
      ['reserveCost', ({ turnId }) => world.store.reserveCost(BOB, { agent: turnId, day: '1', micros: 1, caps: {} })],
      ['settleCost', ({ turnId }) => world.store.settleCost(BOB, { agent: turnId, day: '1', micros: 1 })],
      ['readCost', ({ turnId }) => world.store.readCost(BOB, { agent: turnId, day: '1' })],
      ['readAudit', () => world.store.readAudit(BOB, { limit: 9 })],
      ['requestTurn', ({ turnId }) => world.store.requestTurn(BOB, turnId, { kind: 'cancel' })],
    ];
    const answer = (probed: Promise<unknown>) =>
      probed.then(
        (value) => ({ value }),
        (error: unknown) => ({ error: JSON.stringify(error, ['code', 'message']), text: String(error) }),
      );

    async function beginOfAnn(status: 'running' | 'waiting') {
      const turnId = newUlid();
      const turn = await world.begin({
        turnId,
        threadId: `thread ${turnId}`,
        idempotencyKey: `key ${turnId}`,
        clientId: turnId,
      });
      await world.store.writeSecret(ANN, { name: turnId, value: 'sealed', now: NOW });
      await world.store.writeTurn(ANN, turn.lease, {
        ...write,
        messages: [annsAnswer],
        audit: [auditOf(turn, ANN)],
        attachments: [attachmentOf('mine.txt', 'a secret')],
        status,
      });
      return turn;
    }

    async function readAllOfAnn({ turnId, conversationId }: { turnId: string; conversationId: string }) {
      return [
        await world.store.readConversation(ANN, conversationId),
        await world.store.readTurn(ANN, turnId),
        await world.store.readEvents(ANN, turnId),
        await world.store.readHistory(ANN, conversationId),
        await world.store.readAudit(ANN, { limit: 10 }),
        await world.store.readSecret(ANN, turnId),
      ];
    }

    it('is probed for every method that takes an owner', () => {
      const methods = Object.keys(world.store).filter((method) => !OF_THE_PROCESS.includes(method));
      expect(probes.map(([method]) => String(method)).sort()).toEqual(methods.sort());
    });

    it.each(probes)(
      '%s: another user gets the same response as for an unknown id, and changes nothing',
      async (_, probe) => {
        await world.store.beginTurn(BOB, newTurn());
        for (const status of ['running', 'waiting'] as const) {
          const turn = await beginOfAnn(status);
          const before = await readAllOfAnn(turn);
          const { version, runner } = turn.lease;
          const unknown = { turnId: newUlid(), conversationId: newUlid(), version, runner };
          const ofAnn = await answer(probe({ ...turn, version, runner }));
          expect(ofAnn).toEqual(await answer(probe(unknown)));
          expect(await readAllOfAnn(turn)).toEqual(before);
        }
      },
    );
  });
}
