import { describe, expect, it } from 'vitest';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';
import { temporaryFolder } from '../runtime.ts';
import { openServer, readAnswer } from './server.ts';

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
