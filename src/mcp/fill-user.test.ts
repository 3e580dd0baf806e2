import { describe, expect, it } from 'vitest';
import { ALICE } from '../../test/build.ts';
import { userFromId } from '../identity/user.ts';
import { fillUser, usesUser } from './fill-user.ts';

describe('usesUser', () => {
  it.each([
    [{ Authorization: 'Bearer $user.id' }, true],
    [{ Authorization: 'Bearer key', 'X-Cost': '$5' }, false],
    [{}, false],
  ])('of %j is %s', (values, expected) => {
    expect(usesUser(values)).toBe(expected);
  });
});

describe('fillUser', () => {
  it("puts the user's own values in", () => {
    expect(
      fillUser({ 'X-User': 'id=$user.id; name=$user.name', 'X-Zone': '$user.timezone', plain: 'x' }, ALICE),
    ).toEqual({
      'X-User': `id=${ALICE.id}; name=Alice`,
      'X-Zone': 'UTC',
      plain: 'x',
    });
  });

  it('cannot be made to add a header by a name with a line break', () => {
    const user = userFromId(ALICE.id, { name: 'A\r\nX-Admin: 1' });
    expect(fillUser({ 'X-Name': '$user.name' }, user)).toEqual({ 'X-Name': 'A X-Admin: 1' });
  });

  it.each(['$user.name', '$user.password', '$user.constructor'])('throws for %s of a user without it', (value) => {
    expect(() => fillUser({ key: value }, userFromId(ALICE.id))).toThrow(
      `needs ${value}, which this user does not have`,
    );
  });
});
