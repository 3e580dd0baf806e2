import { expect, it } from 'vitest';
import { talkAsManyUsers } from './many-users-fixture.ts';

it('tells 200 users at once of nothing but their own tasks', async () => {
  const report = await talkAsManyUsers({ users: 200, turns: 1_000 });
  expect(report).toEqual({ turns: 1_000, leaks: [], failed: 0 });
}, 120_000);
