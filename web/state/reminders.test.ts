import { expect, it } from 'vitest';
import { createFakeClock } from '../../src/clock.ts';
import type { DueAnswer, ShownTask } from '../api/shapes.ts';
import { createReminders } from './reminders.ts';

const at = '2026-11-16T09:00:00.000Z';
const TASK: ShownTask = {
  id: '00000000-0000-4000-8000-0000000000f1',
  title: 'call the dentist',
  due_date: '2026-11-16T09:00:30.000Z',
  is_completed: false,
  created_at: at,
  updated_at: at,
};

it('asks again when the next task is due, with the end of the last answer, and shows what comes', async () => {
  const clock = createFakeClock(at);
  const asked: (string | undefined)[] = [];
  const shown: unknown[] = [];
  const answers: DueAnswer[] = [
    { tasks: [{ ...TASK, title: 'before' }], until: at, next: '2026-11-16T09:00:30.000Z' },
    { tasks: [TASK], until: '2026-11-16T09:00:30.000Z' },
  ];
  const reminders = createReminders({
    async take(after) {
      asked.push(after);
      const answer = answers.shift();
      if (!answer) throw new Error('not reached');
      return answer;
    },
    show: (notices) => shown.push(...notices.map(({ task, isLate }) => [task.title, isLate])),
    now: () => clock.date().getTime(),
    wait: clock.after,
  });
  reminders.check();
  await clock.advance(30_000);
  expect([asked, shown]).toEqual([
    [undefined, at],
    [
      ['before', true],
      ['call the dentist', false],
    ],
  ]);
  await clock.advance(60_000);
  expect(asked).toEqual([undefined, at, '2026-11-16T09:00:30.000Z']);
  reminders.close();
  expect(clock.waiting).toBe(0);
});
