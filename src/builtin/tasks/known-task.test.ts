import { expect, it } from 'vitest';
import { openTalk } from '../talk-fixture.ts';
import { orderTasks } from './known-task.ts';

const task = (title: string, others: object = {}) => ({ id: title, title, is_completed: false, ...others });

it('counts undated tasks in the order in which they were added', async () => {
  const talk = openTalk();
  await talk.say('add: fold napkins, polish spoons, chill water');
  expect((await talk.say('show my tasks')).text).toBe(
    'You have 3 tasks:\n1. fold napkins\n2. polish spoons\n3. chill water',
  );
  expect((await talk.say('the 2nd one is done')).text).toBe("Great! I've marked 'polish spoons' as done.");
});

it('keeps the order of a server that does not date its tasks', () => {
  const tasks = [task('b'), task('a'), task('c', { due_date: '2026-11-20' })];
  expect(orderTasks(tasks).map(({ id }) => id)).toEqual(['c', 'b', 'a']);
});
