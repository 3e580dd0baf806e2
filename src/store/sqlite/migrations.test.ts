import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { ANN, attachmentOf, endTurn, NOW, newTurn } from '../contract/fixtures.ts';
import { MIGRATIONS } from './migrations.ts';
import { openDatabase } from './open.ts';
import { createSqliteStore } from './sqlite-store.ts';

const BEFORE_TREE = 3;
const BEFORE_TEAMS = 9;

/** A turn as written by the version before the tree: the user's message, and the answer if it ended. */
function writeFormerTurn(database: DatabaseSync, number: number, turn: ReturnType<typeof newTurn>, isEnded: boolean) {
  const end = endTurn(turn);
  database
    .prepare("INSERT INTO turns VALUES (?, ?, 1, ?, 'todo', ?, 1, 'runner', NULL, NULL, ?)")
    .run(number, turn.turnId, ANN.id, isEnded ? 'completed' : 'interrupted', NOW);
  const events = [...turn.write.events, ...(isEnded ? end.events : [])];
  for (const [index, { id: _, ...body }] of events.entries()) {
    database
      .prepare('INSERT INTO events VALUES (?, 1, ?, 0, ?, ?)')
      .run(number, index + 1, body.type, JSON.stringify(body));
  }
  const messages = [...turn.write.messages, ...(isEnded ? end.messages : [])];
  for (const [index, message] of messages.entries()) {
    database
      .prepare('INSERT INTO messages VALUES (1, ?, ?, ?, ?, ?, 1)')
      .run(number * 10 + index, message.id, number, message.role, JSON.stringify(message));
  }
  return { ...end, messages };
}

describe('a database from before the ends of turns were kept', () => {
  it('is opened with the end of each turn that has one', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'holodeck-former-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const ended = newTurn();
    const cut = newTurn({ conversationId: ended.conversationId });
    const former = openDatabase({ path: join(folder, 'holodeck.db'), migrations: MIGRATIONS.slice(0, BEFORE_TREE) });
    former
      .prepare("INSERT INTO conversations VALUES (1, ?, ?, 'todo', NULL, ?3, ?3, ?3, 5, '{}', 3)")
      .run(ended.conversationId, ANN.id, NOW);
    writeFormerTurn(former, 1, ended, true);
    writeFormerTurn(former, 2, cut, false);
    former.close();

    const store = createSqliteStore({ folder });
    const turns = await store.describeTurns(ANN, ended.conversationId, { limit: 9 });
    expect(turns.map((turn) => [turn.ended_at, turn.answer?.content])).toEqual([
      [undefined, undefined],
      [NOW, 'Done'],
    ]);
    const messageId = turns[1]?.answer?.id ?? '';
    expect(await store.setFeedback(ANN, ended.conversationId, { messageId, rating: 'up' })).toBe(true);
    await store.close();
  });
});

describe('a database from before teams', () => {
  it('keeps its conversations, and a turn of one has a child', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'holodeck-former-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const turn = newTurn();
    const former = openDatabase({ path: join(folder, 'holodeck.db'), migrations: MIGRATIONS.slice(0, BEFORE_TEAMS) });
    former
      .prepare("INSERT INTO conversations VALUES (1, ?, ?, 'todo', NULL, ?3, ?3, ?3, 0, '{}', 1, NULL, NULL, 0, 0)")
      .run(turn.conversationId, ANN.id, NOW);
    former.close();

    const store = createSqliteStore({ folder });
    expect((await store.listConversations(ANN, { limit: 9 })).map(({ id }) => id)).toEqual([turn.conversationId]);
    await store.beginTurn(ANN, newTurn({ conversationId: turn.conversationId, turnId: turn.turnId }));
    const child = newTurn({ threadId: `child:${turn.turnId}:c`, child: { turnId: turn.turnId, attempt: 1 } });
    expect(await store.beginTurn(ANN, child)).toMatchObject({ outcome: 'begun' });
    await store.deleteConversation(ANN, turn.conversationId);
    expect(await store.readTurn(ANN, child.turnId)).toBeUndefined();
    await store.close();
  });
});

describe('a database from before conversations were trees', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'holodeck-former-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is opened with its turns as one path, its results and its files', async () => {
    const first = newTurn();
    const second = newTurn({ conversationId: first.conversationId });
    const third = newTurn({ conversationId: first.conversationId });
    const former = openDatabase({ path: join(folder, 'holodeck.db'), migrations: MIGRATIONS.slice(0, BEFORE_TREE) });
    former
      .prepare("INSERT INTO conversations VALUES (1, ?, ?, 'todo', NULL, ?3, ?3, ?3, 5, '{}', 3)")
      .run(first.conversationId, ANN.id, NOW);
    const answered = writeFormerTurn(former, 1, first, true);
    writeFormerTurn(former, 2, second, true);
    writeFormerTurn(former, 3, third, false);
    const { text, ...file } = attachmentOf('notes.txt', 'two lines');
    const body = JSON.stringify({ ...file, total_chars: text.length });
    former.prepare('INSERT INTO attachments VALUES (1, 1, ?, ?, ?)').run(first.write.messages[0]?.id ?? '', body, text);
    former.close();

    const store = createSqliteStore({ folder });
    const turns = await Promise.all([first, second, third].map(({ turnId }) => store.readTurn(ANN, turnId)));
    expect(turns.map((turn) => [turn?.parent, turn?.replaces, turn?.is_active])).toEqual([
      [undefined, undefined, true],
      [first.turnId, undefined, true],
      [second.turnId, undefined, true],
    ]);
    expect(await store.readResult(ANN, first.turnId)).toEqual(answered.result);
    expect(await store.readResult(ANN, third.turnId)).toBeUndefined();
    expect((await store.readMessages(ANN, first.conversationId)).slice(0, 2)).toEqual(answered.messages);
    expect(await store.readAttachmentText(ANN, first.conversationId, 0)).toBe('two lines');

    const next = newTurn({ conversationId: first.conversationId });
    await store.beginTurn(ANN, next);
    expect(await store.readTurn(ANN, next.turnId)).toMatchObject({ parent: third.turnId });
    await store.close();
    const rows = openDatabase({ path: join(folder, 'holodeck.db'), migrations: MIGRATIONS, readOnly: true });
    const named = rows.prepare("SELECT id, client_id FROM messages WHERE role = 'user' AND client_id <> id").all();
    const files = rows.prepare('SELECT turn FROM attachments').all();
    rows.close();
    expect([named, files.map((row) => row.turn)]).toEqual([[], [1]]);
  });

  it('keeps its Idempotency-Keys, each with its front', async () => {
    const rest = newTurn();
    const agui = newTurn({ conversationId: rest.conversationId });
    const former = openDatabase({ path: join(folder, 'holodeck.db'), migrations: MIGRATIONS.slice(0, BEFORE_TREE) });
    former
      .prepare("INSERT INTO conversations VALUES (1, ?, ?, 'todo', NULL, ?3, ?3, ?3, 2, '{}', 2)")
      .run(rest.conversationId, ANN.id, NOW);
    writeFormerTurn(former, 1, rest, true);
    writeFormerTurn(former, 2, agui, true);
    const setKey = former.prepare('UPDATE turns SET idempotency_key = ? WHERE number = ?');
    setKey.run('a key', 1);
    setKey.run('ag-ui:["t","r"]', 2);
    const resume = { type: 'turn-resume', reason: 'answer', key: 'another key', at: NOW };
    former.prepare("INSERT INTO events VALUES (1, 2, 1, 0, 'turn-resume', ?)").run(JSON.stringify(resume));
    former.close();

    const store = createSqliteStore({ folder, now: () => new Date(NOW) });
    const keys = ['rest:a key', 'ag-ui:["t","r"]', 'a key', 'rest:ag-ui:["t","r"]'];
    const found = await Promise.all(keys.map((key) => store.readTurnByKey(ANN, 'todo', key)));
    expect(found.map((turn) => turn?.id)).toEqual([rest.turnId, agui.turnId, undefined, undefined]);
    expect((await store.readEvents(ANN, rest.turnId)).at(-1)).toMatchObject({ key: 'rest:another key' });
    await store.close();
  });
});
