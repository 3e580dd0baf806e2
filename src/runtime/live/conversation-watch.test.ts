import { expect, it, onTestFinished } from 'vitest';
import { ALICE } from '../../../test/build.ts';
import { temporaryFolder } from '../../../test/runtime.ts';
import { newUlid } from '../../schema/new-ulid.ts';
import { createSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import { createConversationWatch } from './conversation-watch.ts';

/** A watched list over a real store, which counts the conversations that are read one by one. */
async function openWatch() {
  const store = createSqliteStore({ folder: temporaryFolder() });
  const left = new AbortController();
  let reads = 0;
  const readConversation: typeof store.readConversation = (user, id) => {
    reads++;
    return store.readConversation(user, id);
  };
  const { listConversations: list, changeMark } = store;
  const watch = createConversationWatch({ store: { changeMark, readConversation }, list });
  onTestFinished(async () => {
    left.abort();
    watch.close();
    await store.close();
  });
  const changes = await watch.watch(ALICE, left.signal);
  const add = (count: number, metadata = {}) =>
    Promise.all(
      Array.from({ length: count }, () => {
        const now = new Date().toISOString();
        return store.addConversation(ALICE, { conversationId: newUlid(), agent: 'helper', turns: [], metadata, now });
      }),
    );
  const take = async (count: number) => {
    for (let taken = 0; taken < count; taken++) await changes.next();
  };
  return { add, take, reads: () => reads };
}

it('reads a conversation once when it leaves the watched part of the list', async () => {
  const { add, take, reads } = await openWatch();
  await add(200);
  await take(200);
  await add(50);
  await take(50);
  for (let added = 0; added < 2; added++) {
    await add(1);
    await take(1);
  }
  expect(reads()).toBeLessThanOrEqual(52);
});
