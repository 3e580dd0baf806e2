import { readFile } from 'node:fs/promises';
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type FetchImplementation,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import { systemClock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { ServerConfig } from '../schema/agent.ts';
import { isTimeZone } from '../schema/scalars.ts';
import type { User } from '../schema/user.ts';
import { userFromId } from './user.ts';

type AuthConfig = NonNullable<ServerConfig['auth']>;
export type JwtConfig = AuthConfig['jwt'];

/** A shared secret is never combined with public keys, so that a public key cannot pass as the secret. */
const SECRET_ALGORITHMS = ['HS256'];
const KEY_ALGORITHMS = ['RS256', 'ES256', 'EdDSA'];

const CLOCK_SLACK_SECONDS = 5;
/** A longer lifetime counts as a mistake of the issuer: a stolen token would be valid for years. */
const MAX_LIFE_SECONDS = 366 * 24 * 3600;
const KEYS_TIMEOUT_MS = 5_000;
const KEYS_MAX_AGE_MS = 600_000;
const KEYS_PAUSE_MS = 30_000;
/** Key sets of large issuers have about 10 kB. */
const KEYS_MAX_BYTES = 1_000_000;
/** RFC 7518 requires a secret as long as the hash. */
export const SECRET_BYTES = 32;

/** Returns the user of an `Authorization` header. Throws `unauthorized` unless the token is valid. */
export type VerifyToken = (header: string | undefined) => Promise<User>;

/** Creates the token check: fixed algorithms, issuer, audience and expiry. Throws if the keys cannot be read. */
export async function createTokenCheck(
  jwt: JwtConfig,
  { developer_scope: scope, groups_claim: claim = 'groups' }: Partial<Omit<AuthConfig, 'jwt'>> = {},
): Promise<VerifyToken> {
  const { key, algorithms } = await openKeys(jwt);
  const options = {
    algorithms,
    issuer: jwt.issuer,
    audience: jwt.audience,
    clockTolerance: CLOCK_SLACK_SECONDS,
    requiredClaims: ['exp', 'sub'],
  };
  return async (header) => {
    const token = bearerToken(header);
    try {
      const { payload } = await jwtVerify(token, key, options);
      refuseLongLife(payload);
      const isDeveloper = scope !== undefined && hasScope(payload, scope);
      return toUser(payload, { issuer: jwt.issuer, isDeveloper, groups: payload[claim] });
    } catch (error) {
      throw refusal(error);
    }
  };
}

interface Keys {
  key: JWTVerifyGetKey;
  algorithms: string[];
}

async function openKeys({ secret, jwks_file, jwks_url }: JwtConfig): Promise<Keys> {
  if (secret !== undefined) {
    const bytes = new TextEncoder().encode(secret);
    return { key: async () => bytes, algorithms: SECRET_ALGORITHMS };
  }
  if (jwks_file !== undefined) return { key: await readKeys(jwks_file), algorithms: KEY_ALGORITHMS };
  const timing = { timeoutDuration: KEYS_TIMEOUT_MS, cacheMaxAge: KEYS_MAX_AGE_MS, cooldownDuration: KEYS_PAUSE_MS };
  const options = { ...timing, [customFetch]: fetchBounded };
  return { key: createRemoteJWKSet(new URL(String(jwks_url)), options), algorithms: KEY_ALGORITHMS };
}

/** Stops reading an answer that is too large for a key set, whatever its headers say. */
const fetchBounded: FetchImplementation = async (url, options) => {
  const response = await fetch(url, options);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > KEYS_MAX_BYTES) throw new Error(`the key set is larger than ${KEYS_MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return new Response(Buffer.concat(chunks), { status: response.status });
};

async function readKeys(path: string): Promise<JWTVerifyGetKey> {
  try {
    return createLocalJWKSet(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    throw new AppError('config_invalid', {
      detail: `server.auth.jwt.jwks_file: ${path} does not hold a JSON Web Key Set.`,
      cause: error,
    });
  }
}

function bearerToken(header: string | undefined): string {
  const token = /^Bearer +([\w.~+/=-]+) *$/i.exec(header ?? '')?.[1];
  if (token) return token;
  throw new AppError('unauthorized', { detail: 'Send a token: Authorization: Bearer <token>.' });
}

function refuseLongLife({ exp = Number.POSITIVE_INFINITY }: JWTPayload): void {
  if (exp <= systemClock.date().getTime() / 1000 + MAX_LIFE_SECONDS) return;
  throw new AppError('unauthorized', {
    detail: 'The token is valid for more than 366 days. Get one with an earlier exp.',
  });
}

interface UserClaims {
  issuer: string;
  isDeveloper: boolean;
  groups: unknown;
}

function toUser(payload: JWTPayload, { issuer, isDeveloper, groups }: UserClaims): User {
  // jose checks the types of times, issuer and audience, but leaves `sub` unchecked.
  const sub: unknown = payload.sub;
  if (typeof sub !== 'string' || sub.trim() === '') {
    throw new AppError('unauthorized', { detail: 'The token names no user: its sub must be a non-empty text.' });
  }
  const { name, zoneinfo } = payload;
  return userFromId(sub, {
    issuer,
    ...(typeof name === 'string' && { name }),
    ...(typeof zoneinfo === 'string' && isTimeZone(zoneinfo) && { timezone: zoneinfo }),
    ...(isDeveloper && { is_developer: true }),
    // A claim of another shape names no group: the user then sees the documents for everyone.
    ...(Array.isArray(groups) && { groups: groups.filter((group) => typeof group === 'string') }),
  });
}

/** Scopes are words in one text (RFC 8693 `scope`) or a list (`scp`, as some issuers write it). */
function hasScope({ scope, scp }: JWTPayload, wanted: string): boolean {
  const lists: unknown[] = [scope, scp].map((value) => (typeof value === 'string' ? value.split(' ') : value));
  return lists.some((list) => Array.isArray(list) && list.includes(wanted));
}

/** The reason why a token is refused, without revealing what a valid one looks like. */
function refusal(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const areKeysMissing =
    error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError) || isFetchFault(error);
  if (areKeysMissing) {
    const detail = 'The keys for checking tokens cannot be fetched now. Try again in a moment.';
    return new AppError('not_ready', { detail, retryAfterSeconds: 5, cause: error });
  }
  const detail =
    error instanceof errors.JWTExpired ? 'The token has expired. Get a new one.' : 'The token is not valid.';
  return new AppError('unauthorized', { detail, cause: error });
}

/** jose reports a response that is not a key set with its base class, and every fault of a token with a subclass. */
function isFetchFault(error: InstanceType<typeof errors.JOSEError>): boolean {
  return error.code === 'ERR_JOSE_GENERIC' || error instanceof errors.JWKSInvalid;
}
