import { expect, it } from 'vitest';
import { pick } from '../../test/long.ts';
import { talkAsManyUsers } from './many-users-fixture.ts';

const [USERS, TURNS] = pick([60, 300], [200, 1_000]);

it(`tells ${USERS} users at once of nothing but their own tasks`, async () => {
  const report = await talkAsManyUsers({ users: USERS, turns: TURNS });
  expect(report).toEqual({ turns: TURNS, leaks: [], failed: 0 });
}, 240_000);
