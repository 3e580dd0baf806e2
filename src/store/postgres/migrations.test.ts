import { expect, it } from 'vitest';
import { databaseOfFile } from '../../../test/postgres/database.ts';
import { ANN, endTurn, NOW, newTurn } from '../contract/fixtures.ts';
import { createLink } from './link.ts';
import { MIGRATIONS } from './migrations.ts';
import { migrate } from './open.ts';
import { createPostgresStore } from './postgres-store.ts';

const database = databaseOfFile();
const BEFORE_TEAMS = 5;

it('opens a database from before teams: its turns stay, one has a child, and both go with their events', async () => {
  const link = createLink({ url: database.url, connections: 1, stallMs: 10_000, name: 'former' });
  await migrate(link, database.url, MIGRATIONS.slice(0, BEFORE_TEAMS));
  const former = newTurn();
  await link.all(
    `INSERT INTO conversations (id, user_id, agent, created_at, last_updated, last_activity, message_count, metadata, version)
      VALUES ($1, $2, 'todo', $3, $3, $3, 0, '{}', 1)`,
    ...[former.conversationId, ANN.id, NOW],
  );
  await link.close();

  const store = await createPostgresStore({ url: database.url });
  expect((await store.listConversations(ANN, { limit: 9 })).map(({ id }) => id)).toEqual([former.conversationId]);
  const turn = newTurn({ conversationId: former.conversationId });
  const begun = await store.beginTurn(ANN, turn);
  const child = newTurn({ threadId: `child:${turn.turnId}:c`, child: { turnId: turn.turnId, attempt: 1 } });
  expect(await store.beginTurn(ANN, child)).toMatchObject({ outcome: 'begun' });
  if (begun.outcome === 'begun') await store.writeTurn(ANN, begun.lease, endTurn(turn));
  expect(await database.run('SELECT 1 FROM events')).toHaveLength(3);
  await store.deleteConversation(ANN, former.conversationId);
  expect(await database.run('SELECT 1 FROM events')).toEqual([]);
  expect(await database.run('SELECT 1 FROM conversations')).toEqual([]);
  await store.close();
});
