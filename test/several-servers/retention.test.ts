import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Runtime } from '../../src/runtime/runtime.ts';
import type { StoreAdmin } from '../../src/store/admin.ts';
import { openPostgresAdmin } from '../../src/store/postgres/admin.ts';
import { createPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { openSqliteAdmin } from '../../src/store/sqlite/admin/admin.ts';
import { ALICE } from '../build.ts';
import { databaseOfFile } from '../postgres/database.ts';
import { collect, openRuntime, temporaryFolder } from '../runtime.ts';

const database = databaseOfFile();
const DAY_MS = 24 * 3_600_000;
const later = new Date(Date.now() + 40 * DAY_MS);
const REPLIES = [{ calls: [{ name: 'echo', arguments: { text: 'x' } }] }, 'One.', 'Two.'];

describe.each(['SQLite', 'PostgreSQL'])('events that are no longer kept, on %s', (kind) => {
  let runtime: Runtime;
  let admin: StoreAdmin;
  beforeEach(async () => {
    const folder = temporaryFolder();
    const shared = kind === 'PostgreSQL' && { store: await createPostgresStore({ url: database.url }) };
    ({ runtime } = await openRuntime({ replies: REPLIES, folder, ...shared }));
    admin = shared ? openPostgresAdmin(database.url) : openSqliteAdmin(folder);
  });
  afterEach(() => admin.close());

  const say = { agent: 'helper', message: 'hello', idempotencyKey: 'k' };

  it('leave messages, results and the conversation whole', async () => {
    const { conversationId, turnId, events } = await runtime.chat(ALICE, say);
    for await (const _ of events);
    const before = await runtime.readHistory(ALICE, conversationId);
    expect(await admin.removeOld('helper', { events: 30, attachments: 30 }, later)).toBeGreaterThan(0);
    expect(await runtime.readHistory(ALICE, conversationId)).toEqual(before);
    const gone = { code: 'no_longer_kept', status: 410 };
    await expect(runtime.readTrace(ALICE, { conversationId, turnId, withPrompts: false })).rejects.toMatchObject(gone);
    await expect(runtime.chat(ALICE, say).then(collect)).rejects.toMatchObject(gone);
    const next = await collect(await runtime.chat(ALICE, { agent: 'helper', message: 'more', conversationId }));
    expect(next.at(-1)).toMatchObject({ result: { content: 'Two.' } });
  });

  it('single calls of programs are removed after their days, and nothing else', async () => {
    const run = async (threadId: string) => {
      const message = { message: 'hello' };
      const shared = { agent: 'helper', message, history: () => [], answersTo: () => [] };
      const turn = await runtime.runThread(ALICE, { ...shared, threadId, idempotencyKey: threadId });
      await collect(turn);
      return turn.conversationId;
    };
    const [call, thread] = [await run('call:a:1'), await run('calls')];
    expect(await admin.removeOld('helper', { calls: 60 }, later)).toBe(0);
    expect(await admin.removeOld('helper', { calls: 1 }, later)).toBeGreaterThan(0);
    expect(await runtime.readConversation(ALICE, call)).toBeUndefined();
    expect(await runtime.readConversation(ALICE, thread)).toBeDefined();
  });
});
