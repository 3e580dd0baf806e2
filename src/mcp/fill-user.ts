import { AppError } from '../errors.ts';
import type { User } from '../schema/user.ts';

const USER_VALUE = /\$user\.([a-z_]+)/g;

/** Whether any value needs to know who is asking. */
export function usesUser(values: Readonly<Record<string, string>>): boolean {
  return Object.values(values).some((value) => value.search(USER_VALUE) !== -1);
}

/** Puts the user's own values in place of `$user.id`, `$user.name` and `$user.timezone`; throws for one that is not there. */
export function fillUser(values: Readonly<Record<string, string>>, user: User): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, fillValue(value, user)]));
}

function fillValue(value: string, user: User): string {
  return value.replace(USER_VALUE, (placeholder, field: string) => {
    const filled = new Map(Object.entries({ id: user.id, name: user.name, timezone: user.timezone })).get(field);
    if (filled === undefined)
      throw new AppError('tool_unavailable', { detail: `needs ${placeholder}, which this user does not have` });
    return filled.replace(/[\u0000-\u001f\u007f]/g, '');
  });
}
