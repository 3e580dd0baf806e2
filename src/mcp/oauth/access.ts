import type { FetchLike, OAuthTokens } from '@modelcontextprotocol/client';
import type { Clock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import type { User } from '../../schema/user.ts';
import { findLoginNeeded, LoginNeeded, type ServerAccess } from '../server-access.ts';
import { type Challenge, type Grant, type OAuthServer, rulesOf } from './grant.ts';
import { createOAuthFetch } from './oauth-fetch.ts';
import type { HeldGrant, Vault } from './vault.ts';

export interface AccessOptions {
  vault: Vault;
  clock: Clock;
  server: OAuthServer;
  user: User;
  /** Tests replace it. */
  fetch?: FetchLike;
}

/** A token is renewed this long before its end, because a request and two clocks take time. */
const EARLY_MS = 30_000;
const WAIT_MS = 100;
const LONGEST_WAIT_MS = 20_000;

/** Reads the user's token for every request, and refreshes it once for all processes that notice its end. */
export function createAccess(options: AccessOptions): ServerAccess {
  const { vault, clock, server, user } = options;
  let sent: string | undefined;
  let refreshing: Promise<Grant> | undefined;
  const renew = (held: HeldGrant): Promise<Grant> => {
    refreshing ??= refreshAlone(options, held).finally(() => {
      refreshing = undefined;
    });
    return refreshing;
  };
  const hold = async (): Promise<HeldGrant> => {
    const held = await vault.readGrant(user, server);
    if (!held) throw new LoginNeeded(server.name, 'nobody has logged in yet, or the login has ended');
    return held;
  };
  const isEnding = ({ expiresAt }: Grant, earlyMs: number) =>
    expiresAt !== undefined && expiresAt - earlyMs <= clock.date().getTime();

  return {
    async findObstacle() {
      return (await vault.readGrant(user, server)) ? undefined : new LoginNeeded(server.name, 'you are not logged in');
    },
    async token() {
      const held = await hold();
      const mustRenew = held.grant.refreshToken !== undefined && isEnding(held.grant, EARLY_MS);
      const grant = mustRenew ? await renewOrKeep(held) : held.grant;
      sent = grant.accessToken;
      return sent;
    },
    async onUnauthorized({ response }) {
      const { extractWWWAuthenticateParams } = await import('@modelcontextprotocol/client');
      const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
      await note({
        ...(resourceMetadataUrl && { resourceMetadataUrl: resourceMetadataUrl.href }),
        ...(scope && { scope }),
      });
      const held = await hold();
      // Another process has renewed it since.
      if (held.grant.accessToken !== sent) return;
      if (held.grant.refreshToken === undefined) throw await end('the login has ended');
      await renew(held);
    },
    async explain(error) {
      const needed = findLoginNeeded(error);
      if (needed) return needed;
      const { InsufficientScopeError, SdkHttpError } = await import('@modelcontextprotocol/client');
      if (error instanceof InsufficientScopeError) {
        const { requiredScope, resourceMetadataUrl } = error;
        const held = await vault.readGrant(user, server);
        const scope = joinScopes(held?.grant.scope, requiredScope);
        await note({
          ...(scope && { scope }),
          ...(resourceMetadataUrl && { resourceMetadataUrl: resourceMetadataUrl.href }),
        });
        return new LoginNeeded(server.name, 'it asks for more rights than your login has');
      }
      if (error instanceof SdkHttpError && error.data.status === 401) return end('it refused the login');
      return error;
    },
  };

  async function renewOrKeep(held: HeldGrant): Promise<Grant> {
    try {
      return await renew(held);
    } catch (error) {
      if (error instanceof LoginNeeded || isEnding(held.grant, 0)) throw error;
      return held.grant;
    }
  }
  async function end(why: string): Promise<LoginNeeded> {
    await vault.takeGrant(user, server);
    return new LoginNeeded(server.name, why);
  }
  /** An empty demand does not replace an earlier one. */
  async function note(challenge: Challenge): Promise<void> {
    if (Object.keys(challenge).length > 0) await vault.writeChallenge(user, server, challenge);
  }
}

/** A refresh token is often good once: two refreshes at the same time would end the login. */
async function refreshAlone(options: AccessOptions, held: HeldGrant): Promise<Grant> {
  const { vault, clock, user, server } = options;
  const until = clock.now() + LONGEST_WAIT_MS;
  while (!(await vault.claim(user, server))) {
    if (clock.now() > until) throw new AppError('tool_unavailable', { detail: 'could not renew its login in time' });
    await new Promise<void>((resolve) => void clock.after(WAIT_MS, resolve));
    const other = await vault.readGrant(user, server);
    if (!other) throw new LoginNeeded(server.name, 'the login has ended');
    if (other.sealed !== held.sealed && other.grant.accessToken !== held.grant.accessToken) return other.grant;
  }
  try {
    const now = await vault.readGrant(user, server);
    if (!now) throw new LoginNeeded(server.name, 'the login has ended');
    if (now.grant.accessToken !== held.grant.accessToken) return now.grant;
    return await refresh(options, now);
  } finally {
    await vault.release(user, server);
  }
}

async function refresh(options: AccessOptions, { grant, sealed }: HeldGrant): Promise<Grant> {
  const { vault, clock, user, server } = options;
  const { refreshAuthorization, OAuthError } = await import('@modelcontextprotocol/client');
  const fetchFn = options.fetch ?? createOAuthFetch({ rules: rulesOf(grant) });
  const { metadata, client, resource, refreshToken = '' } = grant;
  try {
    const clientInformation = client;
    const tokens = await refreshAuthorization(metadata.issuer, {
      metadata,
      clientInformation,
      refreshToken,
      ...(resource !== undefined && { resource }),
      fetchFn,
    });
    const next = { ...grant, ...toGrantTokens(tokens, clock, grant.scope) };
    if (await vault.writeGrant(user, server, next, sealed)) return next;
  } catch (error) {
    // Other errors of the server may pass; the codes of RFC 6749 below do not.
    if (!(error instanceof OAuthError) || error.code === 'server_error' || error.code === 'temporarily_unavailable')
      throw new AppError('tool_unavailable', { detail: 'could not renew its login; the login server did not answer' });
    await vault.takeGrant(user, server);
  }
  throw new LoginNeeded(server.name, 'the login has ended');
}

export function toGrantTokens(
  { access_token, refresh_token, scope, expires_in }: OAuthTokens,
  clock: Clock,
  askedScope: string | undefined,
): Pick<Grant, 'accessToken' | 'refreshToken' | 'scope' | 'expiresAt'> {
  // RFC 6749 5.1: a response without a scope granted the scope that was asked for.
  const granted = scope ?? askedScope;
  return {
    accessToken: access_token,
    ...(refresh_token !== undefined && { refreshToken: refresh_token }),
    ...(granted !== undefined && { scope: granted }),
    ...(expires_in !== undefined && { expiresAt: clock.date().getTime() + expires_in * 1000 }),
  };
}

function joinScopes(...scopes: readonly (string | undefined)[]): string {
  return [...new Set(scopes.flatMap((scope) => scope?.split(/\s+/) ?? []).filter(Boolean))].join(' ');
}

/** Ends a grant at its login server (RFC 7009). False if the server has no such address or did not accept it. */
export async function revoke(grant: Grant): Promise<boolean> {
  const { metadata, client, refreshToken, accessToken } = grant;
  const address = 'revocation_endpoint' in metadata ? metadata.revocation_endpoint : undefined;
  if (typeof address !== 'string') return false;
  const { selectClientAuthMethod } = await import('@modelcontextprotocol/client');
  const method = selectClientAuthMethod(client, metadata.token_endpoint_auth_methods_supported ?? []);
  const { client_id, client_secret = '' } = client;
  const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded' });
  if (method === 'client_secret_basic')
    headers.set('authorization', `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`);
  const secret =
    method === 'client_secret_post' ? { client_id, client_secret } : method === 'none' ? { client_id } : {};
  const send = createOAuthFetch({ rules: rulesOf(grant) });
  const kinds = [
    ...(refreshToken === undefined ? [] : [{ token: refreshToken, token_type_hint: 'refresh_token' }]),
    { token: accessToken, token_type_hint: 'access_token' },
  ];
  const answers = kinds.map(async (kind) => {
    const body = new URLSearchParams({ ...kind, ...secret });
    try {
      return (await send(address, { method: 'POST', headers, body })).ok;
    } catch {
      return false;
    }
  });
  return (await Promise.all(answers)).every(Boolean);
}
