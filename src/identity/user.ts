import { createHash } from 'node:crypto';
import { AppError } from '../errors.ts';
import { Uuid } from '../schema/ids.ts';
import { User } from '../schema/user.ts';
import { cleanLine, isInvisible } from '../schema/user-text.ts';

/** The namespace that RFC 9562 defines for URLs. */
const URL_NAMESPACE = '6ba7b811-9dad-11d1-80b4-00c04fd430c8';

/** The same name in the same namespace always gives the same UUID (version 5). */
function uuidV5(namespace: string, name: string): string {
  const hash = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name)
    .digest()
    .subarray(0, 16);
  hash[6] = (hash.readUInt8(6) & 0x0f) | 0x50;
  hash[8] = (hash.readUInt8(8) & 0x3f) | 0x80;
  const text = hash.toString('hex');
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join('-');
}

const NAME_CHARS = 100;
/** The namespace of ids that a program brings from its own accounts. */
const APP_ISSUER = 'holodeck:app';

export interface UserFacts {
  issuer?: string;
  name?: string;
  timezone?: string;
  is_developer?: true;
  groups?: string[];
}

/**
 * Creates a User from an id that the caller has verified. A UUID stays as it is; any other text becomes a fixed UUID for
 * this issuer and text. That UUID has version 5, and a UUID of version 5 counts as text: a person who chose it as a name
 * would else be the user whose text it was made of. The name becomes one clean line for prompts and tools.
 */
export function userFromId(id: string, { issuer = APP_ISSUER, ...about }: UserFacts = {}): User {
  if (typeof id !== 'string' || id.trim() === '' || !id.isWellFormed()) {
    throw new AppError('unauthorized', { detail: 'A user id must be a non-empty text.' });
  }
  const own = Uuid.safeParse(id).data;
  return storedUser(own && own[14] !== '5' ? own : uuidV5(uuidV5(URL_NAMESPACE, issuer), id), about);
}

/** The user of an id that `userFromId` made before, such as one of the store. */
export function storedUser(id: string, { name = '', ...about }: Omit<UserFacts, 'issuer'> = {}): User {
  const line = cleanLine(name, NAME_CHARS);
  return User.parse({ id, ...(!isInvisible(line) && { name: line }), ...about });
}

/** The user whom an operator names: by the id that the store shows, or by the text of the app or token. */
export function namedUser(id: string, facts: Pick<UserFacts, 'issuer'> = {}): User {
  return Uuid.safeParse(id).success ? storedUser(id) : userFromId(id, facts);
}
