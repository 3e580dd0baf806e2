import { readFile } from 'node:fs/promises';
import { createLocalJWKSet, createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { AppError } from '../errors.ts';
import type { ServerConfig } from '../schema/agent.ts';
import { Uuid } from '../schema/ids.ts';
import { isTimeZone } from '../schema/time.ts';
import type { User } from '../schema/user.ts';
import { userFromId } from './user.ts';
import { URL_NAMESPACE, uuidV5 } from './uuid-v5.ts';

export type JwtConfig = NonNullable<ServerConfig['auth']>['jwt'];

/** A shared secret never stands beside public keys: a public key cannot be passed off as the secret. */
const SECRET_ALGORITHMS = ['HS256'];
const KEY_ALGORITHMS = ['RS256', 'ES256', 'EdDSA'];

const CLOCK_SLACK_SECONDS = 5;
/** A longer life is taken for a mistake of the issuer: a stolen token would be good for years. */
const MAX_LIFE_SECONDS = 366 * 24 * 3600;
const KEYS_TIMEOUT_MS = 5_000;
const KEYS_MAX_AGE_MS = 600_000;
const KEYS_PAUSE_MS = 30_000;
/** RFC 7518 asks for a secret as long as the hash. */
export const SECRET_BYTES = 32;

/** Who sent this `Authorization` header; throws `unauthorized` for anything but a valid token. */
export type VerifyToken = (header: string | undefined) => Promise<User>;

/** Makes the check of tokens: fixed algorithms, issuer, audience and expiry. Throws when the keys cannot be read. */
export async function createTokenCheck(jwt: JwtConfig): Promise<VerifyToken> {
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
      return toUser(payload, jwt.issuer);
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
  return { key: createRemoteJWKSet(new URL(String(jwks_url)), timing), algorithms: KEY_ALGORITHMS };
}

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
  if (exp <= Date.now() / 1000 + MAX_LIFE_SECONDS) return;
  throw new AppError('unauthorized', {
    detail: 'The token is valid for more than 366 days. Get one with an earlier exp.',
  });
}

/** A `sub` that is no UUID becomes the one that always stands for this issuer's `sub`. */
function toUser(payload: JWTPayload, issuer: string): User {
  // jose checks the types of times, issuer and audience, and leaves `sub` as the issuer wrote it.
  const sub: unknown = payload.sub;
  if (typeof sub !== 'string' || sub.trim() === '') {
    throw new AppError('unauthorized', { detail: 'The token names nobody: its sub must be a text that is not empty.' });
  }
  const id = Uuid.safeParse(sub);
  const { name, zoneinfo } = payload;
  return userFromId(id.success ? id.data : uuidV5(uuidV5(URL_NAMESPACE, issuer), sub), {
    ...(typeof name === 'string' && { name }),
    ...(typeof zoneinfo === 'string' && isTimeZone(zoneinfo) && { timezone: zoneinfo }),
  });
}

/** Why a token is not taken, without saying what a valid one would look like. */
function refusal(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const areKeysMissing =
    error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError) || isFetchFault(error);
  if (areKeysMissing) {
    const detail = 'The keys that tokens are checked with cannot be fetched now. Try again in a moment.';
    return new AppError('not_ready', { detail, retryAfterSeconds: 5, cause: error });
  }
  const detail =
    error instanceof errors.JWTExpired ? 'The token has expired. Get a new one.' : 'The token is not valid.';
  return new AppError('unauthorized', { detail, cause: error });
}

/** jose reports an answer that is no key set with its base class, and everything about the token with a subclass. */
function isFetchFault(error: InstanceType<typeof errors.JOSEError>): boolean {
  return error.code === 'ERR_JOSE_GENERIC' || error instanceof errors.JWKSInvalid;
}
