import { AppError } from '../errors.ts';
import { User } from '../schema/user.ts';

/** Makes a User from an id that the caller has verified. The only maker of a User, with `local-account.ts` beside it. */
export function userFromId(id: string, about: { name?: string; timezone?: string } = {}): User {
  const parsed = User.safeParse({ id, ...about });
  if (!parsed.success) throw new AppError('unauthorized', { detail: 'A user id must be a UUID.' });
  return parsed.data;
}
