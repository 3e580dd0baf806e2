import { AppError } from '../errors.ts';
import type { User } from '../schema/user.ts';

const USER_VALUE = /\$user\.([a-z_]+)/g;

/** Whether any value depends on the user. */
export function usesUser(values: Readonly<Record<string, string>>): boolean {
  return Object.values(values).some((value) => value.search(USER_VALUE) !== -1);
}

/** Replaces `$user.id`, `$user.name` and `$user.timezone` by the user's values; throws if a value is missing. */
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
