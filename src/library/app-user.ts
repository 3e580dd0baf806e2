import { AppError } from '../errors.ts';
import { type UserFacts, userFromId } from '../identity/user.ts';
import { isTimeZone } from '../schema/scalars.ts';
import type { User } from '../schema/user.ts';

/** A user of your app: the id, or the id with facts that the agent may use. */
export type AppUser = string | ({ id: string } & Pick<UserFacts, 'name' | 'timezone' | 'groups'>);

/**
 * The user that an app returned. Whole rows of its own table may arrive here: only the documented keys count, and null is
 * absent. Throws `unauthorized` without a user, and a TypeError, whose text only the app's author sees, for what is none.
 */
export function toUser(given: AppUser | null | undefined, issuer: string | undefined): User {
  const row = typeof given === 'object' && given !== null ? given : { id: given };
  const { id, name, timezone, groups }: Partial<Record<keyof UserFacts | 'id', unknown>> = row;
  // An app without a session returns undefined, null, false or an empty text.
  if (!id) throw new AppError('unauthorized', { detail: 'This request has no signed-in user.' });
  if (typeof id !== 'string') throw returned(`an id that is a ${typeof id}. Use String(id)`);
  const isMissing = groups === undefined || groups === null;
  if (!isMissing && !isTexts(groups)) throw returned('groups that are no list of texts');
  return userFromId(id, {
    ...(typeof name === 'string' && { name }),
    ...(typeof timezone === 'string' && isTimeZone(timezone) && { timezone }),
    ...(!isMissing && { groups }),
    ...(issuer && { issuer }),
  });
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function returned(what: string): TypeError {
  return new TypeError(`createHandler: \`user\` returned ${what}.`);
}
