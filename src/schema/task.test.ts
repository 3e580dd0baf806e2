import { describe, expect, it } from 'vitest';
import { DueDate, Task, TaskFilter, TaskTitle } from './task.ts';

const id = '11111111-1111-4111-8111-111111111111';
const at = '2026-01-01T00:00:00.000Z';
const task = { id, user_id: id, title: 'Buy milk', is_completed: false, created_at: at, updated_at: at };
const pathsOf = (about: object) =>
  Task.safeParse({ ...task, ...about }).error?.issues.map(({ path }) => path.join('.')) ?? [];

describe('Task', () => {
  it('is kept as it is, with or without what is optional', () => {
    const full = { ...task, description: 'two litres', due_date: '2026-01-02', is_completed: true, completed_at: at };
    expect([Task.parse(task), Task.parse(full)]).toEqual([task, full]);
  });

  it.each([
    ['an id that is no UUID', { id: '7' }, ['id']],
    ['no owner', { user_id: undefined }, ['user_id']],
    ['a title that is no text', { title: 7 }, ['title']],
    ['a due date without a zone', { due_date: '2026-01-01T10:00:00' }, ['due_date']],
    ['null for what is absent', { due_date: null }, ['due_date']],
    ['a completion that is text', { is_completed: 'yes' }, ['is_completed']],
    ['a key of its own', { priority: 1 }, ['']],
  ])('refuses %s', (_, about, paths) => {
    expect(pathsOf(about)).toEqual(paths);
  });
});

describe('TaskTitle', () => {
  it('is trimmed, then 1 to 500 characters', () => {
    expect(TaskTitle.parse(`  ${'x'.repeat(500)} `)).toBe('x'.repeat(500));
    for (const title of ['', ' \t', 'x'.repeat(501)]) expect(TaskTitle.safeParse(title).success).toBe(false);
  });
});

describe('DueDate', () => {
  it.each(['2026-02-28', '2024-02-29', '2026-01-01T10:00:00Z', '2026-01-01T10:00:00+02:00'])('takes %s', (date) => {
    expect(DueDate.parse(date)).toBe(date);
  });

  it.each(['2026-02-29', '2026-13-01', 'tomorrow', '01/02/2026', '2026-01-01T10:00:00', ''])('refuses %j', (date) => {
    expect(DueDate.safeParse(date).success).toBe(false);
  });
});

describe('TaskFilter', () => {
  it('is one of three', () => {
    expect(['all', 'pending', 'completed', 'open'].map((filter) => TaskFilter.safeParse(filter).success)).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});
