import { expect, it } from 'vitest';
import type { Session } from '../api/shapes.ts';
import { groupSessions } from './group-sessions.ts';

function session(session_id: string, last_activity: string, pinned = false): Session {
  return { session_id, agent: 'a', last_activity, last_updated: last_activity, message_count: 2, pinned };
}

it('puts pinned conversations first and the others by day, newest first', () => {
  const now = new Date('2026-11-16T12:00:00');
  const at = (text: string) => new Date(text).toISOString();
  const sessions = [
    session('old', at('2026-10-01T09:00:00')),
    session('monday', at('2026-11-16T08:00:00')),
    session('later', at('2026-11-16T11:00:00')),
    session('sunday', at('2026-11-15T23:59:00')),
    session('kept', at('2026-01-01T00:00:00'), true),
    session('tuesday', at('2026-11-11T00:00:00')),
  ];
  expect(
    groupSessions(sessions, now).map((group) => [group.title, group.sessions.map((one) => one.session_id)]),
  ).toEqual([
    ['Pinned', ['kept']],
    ['Today', ['later', 'monday']],
    ['Yesterday', ['sunday']],
    ['This week', ['tuesday']],
    ['Earlier', ['old']],
  ]);
});
