import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { databaseOfFile } from '../../../test/postgres/database.ts';
import type { StoreAdmin } from '../admin.ts';
import { ANN, auditOf, BOB, endTurn, newTurn } from '../contract/fixtures.ts';
import { openSqliteAdmin } from '../sqlite/admin/admin.ts';
import { createSqliteStore } from '../sqlite/sqlite-store.ts';
import type { Store } from '../store.ts';
import { openPostgresAdmin } from './admin.ts';
import { createPostgresStore } from './postgres-store.ts';

const database = databaseOfFile();
const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

const KINDS: [string, () => Promise<{ store: Store; admin: StoreAdmin }>][] = [
  [
    'SQLite',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'holodeck-admin-'));
      return { store: createSqliteStore({ folder }), admin: openSqliteAdmin(folder) };
    },
  ],
  [
    'PostgreSQL',
    async () => {
      const store = await createPostgresStore({ url: database.url });
      await database.empty();
      return { store, admin: openPostgresAdmin(database.url) };
    },
  ],
];

describe.each(KINDS)('the administration of %s', (_, make) => {
  async function makeTurns() {
    const { store, admin } = await make();
    open.push(store.close, admin.close);
    const turns = [];
    for (const user of [ANN, BOB]) {
      const turn = newTurn();
      const begun = await store.beginTurn(user, turn);
      if (begun.outcome !== 'begun') throw new Error(begun.outcome);
      await store.writeTurn(user, begun.lease, { ...endTurn(turn), audit: [auditOf(turn, user)] });
      turns.push(turn);
    }
    return { store, admin, turns };
  }

  it('counts what is stored', async () => {
    const { admin } = await makeTurns();
    const status = await admin.status();
    expect(status).toMatchObject({ conversations: 2, turns: 2 });
    expect(status.version).toBe(status.newest);
  });

  it('erases a user and nobody else; audit records stay without arguments', async () => {
    const { store, admin, turns } = await makeTurns();
    const newId = 'c0000000-0000-4000-8000-000000000003';
    expect(await admin.eraseUser(ANN.id, newId)).toBe(1);
    expect(await store.listConversations(ANN, { limit: 9 })).toEqual([]);
    expect(await store.readEvents(ANN, turns[0]?.turnId ?? '')).toEqual([]);
    expect(await store.readAudit(ANN, { limit: 9 })).toEqual([]);
    const left = await store.readAudit({ ...ANN, id: newId }, { limit: 9 });
    expect(left).toMatchObject([{ user_id: newId, arguments: {} }]);
    expect(await store.listConversations(BOB, { limit: 9 })).toHaveLength(1);
    expect(await store.readAudit(BOB, { limit: 9 })).toMatchObject([{ arguments: { title: 'milk' } }]);
  });

  it('removes what is older than its retention, and results outlive events', async () => {
    const { store, admin, turns } = await makeTurns();
    const turnId = turns[0]?.turnId ?? '';
    const later = new Date(Date.parse('2026-01-05T10:00:00.000Z') + 40 * 24 * 3_600_000);
    expect(await admin.removeOld('todo', {}, later)).toBe(0);
    expect(await admin.removeOld('other', { events: 30 }, later)).toBe(0);
    expect(await admin.removeOld('todo', { events: 60, conversations: 60, audit: 60, attachments: 60 }, later)).toBe(0);
    expect(await admin.removeOld('todo', { events: 30, audit: 30 }, later)).toBeGreaterThan(0);
    expect(await store.readEvents(ANN, turnId)).toEqual([]);
    expect(await store.readResult(ANN, turnId)).toMatchObject({ content: 'Done' });
    expect(await store.readAudit(ANN, { limit: 9 })).toEqual([]);
    await admin.removeOld('todo', { conversations: 30 }, later);
    expect(await store.listConversations(ANN, { limit: 9 })).toEqual([]);
  });

  describe('with a turn of a member', () => {
    async function makeTree() {
      const { store, admin } = await make();
      open.push(store.close, admin.close);
      const begin = async (turn: ReturnType<typeof newTurn>) => {
        const begun = await store.beginTurn(ANN, turn);
        if (begun.outcome !== 'begun') throw new Error(begun.outcome);
        return async (title: string) => {
          const audit = [{ ...auditOf(turn, ANN), arguments: { title } }];
          await store.writeTurn(ANN, begun.lease, { ...endTurn(turn), audit });
        };
      };
      const root = newTurn();
      const endRoot = await begin(root);
      const thread = { threadId: `child:${root.turnId}:c1`, child: { turnId: root.turnId, attempt: 1 } };
      const child = newTurn({ agent: 'todo/checker', ...thread });
      await (await begin(child))('for the member');
      await endRoot('for the team');
      return { store, admin, root, child };
    }
    const later = new Date(Date.parse('2026-01-05T10:00:00.000Z') + 40 * 24 * 3_600_000);

    it("keeps its events as long as the team's, and removes it with the conversation of the team", async () => {
      const { store, admin, root, child } = await makeTree();
      const events = () =>
        Promise.all([root, child].map(async (one) => (await store.readEvents(ANN, one.turnId)).length));
      expect(await admin.removeOld('todo', { calls: 1, events: 60, conversations: 60 }, later)).toBe(0);
      for (const other of ['other', 'to', 'checker'])
        expect(await admin.removeOld(other, { calls: 1, conversations: 30 }, later), other).toBe(0);
      expect(await events()).toEqual([2, 2]);
      await admin.removeOld('todo', { events: 30 }, later);
      expect(await events()).toEqual([0, 0]);
      expect(await store.readResult(ANN, child.turnId)).toMatchObject({ content: 'Done' });
      await admin.removeOld('todo', { conversations: 30 }, later);
      for (const gone of [root, child]) {
        expect(await store.readConversation(ANN, gone.conversationId)).toBeUndefined();
        expect(await store.readResult(ANN, gone.turnId)).toBeUndefined();
      }
      expect(await admin.status()).toMatchObject({ conversations: 0, turns: 0 });
    });

    it('erases it with its user; audit records stay without arguments', async () => {
      const { store, admin, root, child } = await makeTree();
      const newId = 'c0000000-0000-4000-8000-000000000003';
      expect(await admin.eraseUser(ANN.id, newId)).toBe(1);
      expect(await admin.status()).toMatchObject({ conversations: 0, turns: 0 });
      for (const gone of [root, child]) {
        expect(await store.readEvents(ANN, gone.turnId)).toEqual([]);
        expect(await store.readMessages(ANN, gone.conversationId)).toEqual([]);
      }
      const left = await store.readAudit({ ...ANN, id: newId }, { limit: 9 });
      expect(left.map(({ arguments: args }) => args)).toEqual([{}, {}]);
      expect(JSON.stringify(left)).not.toContain('member');
    });
  });

  it('refuses to restore over data, and to overwrite a folder', async () => {
    const { admin } = await makeTurns();
    const folder = mkdtempSync(join(tmpdir(), 'holodeck-copy-'));
    await expect(admin.backup(folder)).rejects.toMatchObject({ code: 'usage' });
    await expect(admin.restore(folder)).rejects.toMatchObject({ code: 'usage' });
    expect(await admin.status()).toMatchObject({ conversations: 2 });
  });
});

it('copies a folder while it is used, and the copy holds the same', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'holodeck-admin-'));
  const store = createSqliteStore({ folder });
  const turn = newTurn();
  await store.beginTurn(ANN, turn);
  const copy = join(mkdtempSync(join(tmpdir(), 'holodeck-copy-')), 'copy');
  await openSqliteAdmin(folder).backup(copy);
  await store.close();
  const other = join(mkdtempSync(join(tmpdir(), 'holodeck-admin-')), 'data');
  await openSqliteAdmin(other).restore(copy);
  const restored = createSqliteStore({ folder: other });
  expect(await restored.readMessages(ANN, turn.conversationId)).toEqual(turn.write.messages);
  await restored.close();
});
