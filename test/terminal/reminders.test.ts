import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { localAccount } from '../../src/identity/local-account.ts';
import { createSqliteTaskStore } from '../../src/tasks/sqlite-task-store.ts';
import { temporaryFolder } from '../runtime.ts';
import { startSession } from './session.ts';

const CTRL_D = '\u0004';
/** Longer than the chat takes to start. */
const SOON_MS = 12_000;

async function addTasks(data: string, tasks: Record<string, number>): Promise<void> {
  const store = createSqliteTaskStore({ path: join(data, 'tasks.db') });
  const { id } = localAccount(data);
  for (const [title, ms] of Object.entries(tasks)) {
    await store.addTask(id, { title, due_date: new Date(Date.now() + ms).toISOString() }, { callId: title });
  }
  await store.close();
}

/** The time up to which the user was reminded. */
function readSeen(data: string): unknown {
  const database = new DatabaseSync(join(data, 'tasks.db'), { readOnly: true });
  const row = database.prepare('SELECT seen_until FROM task_reminders').get();
  database.close();
  return row?.seen_until;
}

it('a chat shows what came due before and what comes due now, above the text that is being typed, once', async () => {
  const data = temporaryFolder();
  await addTasks(data, { 'water the plants': -3_600_000, 'call the dentist': SOON_MS });
  const session = startSession(['--data', data]);
  const first = await session.until(/\n>/);
  expect(first).toMatch(/\nDue since \w{3},? \d+ \w{3},? .*: water the plants\n>/);
  session.type('what do I ');
  const screen = await session.until('Due now: call the dentist');
  expect(screen).toMatch(/\nDue now: call the dentist\n> what do I\s*$/);
  session.type('need to do?\r');
  expect(await session.until(/2 of 50 messages/)).toContain('> what do I need to do?');
  session.type(CTRL_D);
  await session.exit;

  const again = startSession(['--data', data]);
  expect(await again.until(/\n>/)).not.toContain('Due ');
});

it('a terminal that shows lines only keeps the notice until the next line', async () => {
  const data = temporaryFolder();
  await addTasks(data, { 'water the plants': -3_600_000, 'call the dentist': SOON_MS });
  const session = startSession(['--data', data], { env: { TERM: 'dumb', NO_COLOR: '' } });
  expect(await session.until(/\n> ?$/)).toMatch(/Due since .*: water the plants\n> ?$/);
  const since = readSeen(data);
  await expect.poll(() => readSeen(data) !== since, { timeout: 25_000 }).toBe(true);
  expect(await session.text()).toMatch(/water the plants\n> ?$/);
  session.type('/help\r');
  await session.until(/Due now: call the dentist\n> ?$/);
});
