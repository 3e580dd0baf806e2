import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createSqliteTaskStore } from '../../src/tasks/sqlite-task-store.ts';
import { ALICE } from '../build.ts';
import { openPages, type Screen } from './pages.ts';
import { serveShipped } from './scene.ts';

const pages = openPages();

const noticesOf = ({ page }: Screen) => page.locator('.due-notice').allInnerTexts();

it('the page shows what came due before and what comes due now, until it is dismissed or loaded again', async () => {
  const { url, folder } = await serveShipped(['todo']);
  const store = createSqliteTaskStore({ path: join(folder, 'tasks.db') });
  const add = (title: string, ms: number) =>
    store.addTask(ALICE.id, { title, due_date: new Date(Date.now() + ms).toISOString() }, { callId: title });
  await add('water the plants', -3_600_000);
  const screen = await pages.open(url);
  await expect.poll(() => noticesOf(screen)).toEqual([expect.stringMatching(/^Due since .*: water the plants$/)]);
  await add('call the dentist', 3_000);
  await screen.chat('add buy milk');
  await expect.poll(() => noticesOf(screen), { timeout: 20_000 }).toContain('Due now: call the dentist');
  await screen.button('Dismiss water the plants').click();
  await expect.poll(() => noticesOf(screen)).toEqual(['Due now: call the dentist']);
  await screen.reload();
  await screen.untilAnswer("I've added 'buy milk' to your tasks.");
  expect(await noticesOf(screen)).toEqual([]);
  await store.close();
});
