import { AppError } from '../errors.ts';
import { cleanLine, isInvisible } from '../schema/clean-text.ts';
import { User } from '../schema/user.ts';

const NAME_CHARS = 100;

interface UserFacts {
  name?: string;
  timezone?: string;
  is_developer?: true;
  groups?: string[];
}

/**
 * Creates a User from an id that the caller has verified. Only this file and `local-account.ts` create users. The name
 * becomes one clean line, because prompts and tools receive it.
 */
export function userFromId(id: string, { name = '', ...about }: UserFacts = {}): User {
  const line = cleanLine(name, NAME_CHARS);
  const parsed = User.safeParse({ id, ...(!isInvisible(line) && { name: line }), ...about });
  if (!parsed.success) throw new AppError('unauthorized', { detail: 'A user id must be a UUID.' });
  return parsed.data;
}
