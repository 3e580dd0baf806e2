import { describe, expect, it } from 'vitest';
import { User } from './user.ts';

describe('User', () => {
  it('has an id in lower case, and may have a name and a time zone', () => {
    const user = { id: 'AAAAAAAA-1111-4111-8111-111111111111', name: 'Ada', timezone: 'Europe/Berlin' };
    expect(User.parse(user)).toEqual({ ...user, id: user.id.toLowerCase() });
  });

  it.each([{}, { id: 'ada' }, { id: null }, { id: '11111111-1111-4111-8111-111111111111', role: 'admin' }])(
    'refuses %j',
    (value) => expect(User.safeParse(value).success).toBe(false),
  );
});
