import { describe, expect, it } from 'vitest';
import { openTalk } from '../talk-fixture.ts';
import { orderTasks } from './known-task.ts';
import { resolve } from './resolve.ts';
import { emptyMemory } from './task-memory.ts';

const items = (...titles: string[]) =>
  titles.map((title, index) => ({ id: String(index), title, is_completed: false }));
const TASKS = items('buy milk', 'call mom', 'call the dentist', 'Finish quarterly report');

function found(ref: string, tasks = TASKS, last?: (typeof TASKS)[number]) {
  const shown = { shown: tasks, isShownFresh: true };
  const resolution = resolve(ref, tasks, { ...emptyMemory(), ...shown, ...(last && { last, isLastFresh: true }) });
  return resolution.kind === 'none' ? [] : [resolution.how, ...resolution.tasks.map(({ title }) => title)];
}

describe('resolve', () => {
  it.each([
    ['buy milk', ['exact', 'buy milk']],
    ['BUY MILK', ['exact', 'buy milk']],
    ['buying milk', ['typo', 'buy milk']],
    ['report', ['about', 'Finish quarterly report']],
    ['quarterly report', ['named', 'Finish quarterly report']],
    ['dentist', ['named', 'call the dentist']],
    ['call', ['partial', 'call mom', 'call the dentist']],
    ['dentsit', ['typo', 'call the dentist']],
    ['the second one', ['exact', 'call mom']],
    ['last', ['exact', 'Finish quarterly report']],
    ['7', []],
    ['zebra', []],
    ['it', []],
  ])('%s', (ref, expected) => {
    expect(found(ref)).toEqual(expected);
  });

  it('takes "it" for what was mentioned last', () => {
    expect(found('it', TASKS, TASKS[1])).toEqual(['recent', 'call mom']);
  });

  it('prefers the exact title among those that hold it', () => {
    expect(found('call mom', items('call mom', 'call mom about dinner'))).toEqual(['exact', 'call mom']);
  });

  it('names both when two titles are the same', () => {
    expect(found('milk', items('milk', 'milk'))).toEqual(['exact', 'milk', 'milk']);
  });

  it('takes a number in a title for the title, not for a position', () => {
    expect(found('chapter 2', items('read chapter 1', 'read chapter 2', 'read chapter 3'))).toEqual([
      'named',
      'read chapter 2',
    ]);
  });
});

describe('known task', () => {
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
});
