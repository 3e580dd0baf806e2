import { AppError } from '../errors.ts';
import { cleanLine, isInvisible } from '../schema/clean-text.ts';
import { User } from '../schema/user.ts';

const NAME_CHARS = 100;

/**
 * Makes a User from an id that the caller has verified. The only maker of a User, with `local-account.ts` beside it.
 * The name becomes one clean line, because prompts and tools receive it.
 */
export function userFromId(id: string, { name = '', ...about }: { name?: string; timezone?: string } = {}): User {
  const line = cleanLine(name, NAME_CHARS);
  const parsed = User.safeParse({ id, ...(!isInvisible(line) && { name: line }), ...about });
  if (!parsed.success) throw new AppError('unauthorized', { detail: 'A user id must be a UUID.' });
  return parsed.data;
}
