import { createHash, timingSafeEqual } from 'node:crypto';
import type {
  AuthorizationServerMetadata,
  FetchLike,
  OAuthClientProvider,
  StoredOAuthClientInformation,
} from '@modelcontextprotocol/client';
import type { Clock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import type { User } from '../../schema/user.ts';
import { toGrantTokens } from './access.ts';
import { checkAddress, RefusedAddress } from './address-guard.ts';
import { type Challenge, type OAuthServer, rulesOf } from './grant.ts';
import { createOAuthFetch } from './oauth-fetch.ts';
import { randomSecret } from './random-secret.ts';
import type { PendingLogin, Vault } from './vault.ts';

function refuseLogin(server: string, why: string): AppError {
  return new AppError('login_failed', { detail: `The login to ${server} did not work: ${why}.` });
}

/** A sentence for people. The error itself is dropped: the text of a login server could repeat a secret. */
async function explainLogin(error: unknown, server: string): Promise<AppError> {
  if (error instanceof AppError) return error;
  if (error instanceof RefusedAddress) return refuseLogin(server, error.message.replace(/\.$/, ''));
  const sdk = await import('@modelcontextprotocol/client');
  if (error instanceof sdk.IssuerMismatchError) return refuseLogin(server, 'its login server names another issuer');
  if (error instanceof sdk.OAuthError) return refuseLogin(server, `its login server answered ${error.code}`);
  const text = error instanceof Error ? error.message : '';
  const known = KNOWN.find(([pattern]) => pattern.test(text));
  return refuseLogin(server, known?.[1] ?? 'its login server gave an unusable answer');
}

const KNOWN: readonly (readonly [RegExp, string])[] = [
  [/does not match expected/, 'its metadata are for another server'],
  [/does not support dynamic client registration/, 'this program must be registered there first; set oauth.client_id'],
  [/registration/i, 'its login server refused to register this program; set oauth.client_id'],
];

export interface LoginDeps {
  vault: Vault;
  clock: Clock;
  /** Asks the server without a token. */
  probe(server: OAuthServer, signal: AbortSignal): Promise<Challenge>;
}

export interface BeginLogin {
  user: User;
  redirectUri: string;
  /** A random value that only the person's browser has; absent if the callback is in this process. */
  browser?: string;
  /** The address of our client metadata document, if others can read it. */
  clientMetadataUrl?: string;
  signal: AbortSignal;
}

const LOGIN_MS = 10 * 60 * 1000;

/** Finds the login servers, registers if needed, and returns the address that the person opens. */
export async function beginLogin(deps: LoginDeps, server: OAuthServer, begin: BeginLogin): Promise<{ url: string }> {
  const { vault, clock } = deps;
  const { user, redirectUri, browser, signal } = begin;
  const { auth } = await import('@modelcontextprotocol/client');
  const state = randomSecret(32).toString('base64url');
  const draft: Draft = {};
  try {
    const known = await vault.readChallenge(user, server);
    const challenge = { ...(await deps.probe(server, signal)), ...known };
    const fetchFn: FetchLike = createOAuthFetch({ rules: rulesOf(server), signal });
    const scope = challenge.scope ?? server.scopes?.join(' ');
    await auth(createProvider(deps, { server, begin, state, draft }), {
      serverUrl: server.url,
      fetchFn,
      forceReauthorization: true,
      ...(scope && { scope }),
      ...(challenge.resourceMetadataUrl && { resourceMetadataUrl: new URL(challenge.resourceMetadataUrl) }),
    });
  } catch (error) {
    throw await explainLogin(error, server.name);
  }
  const { url, metadata, client, codeVerifier, resource } = draft;
  if (!url || !metadata || !client || !codeVerifier)
    throw refuseLogin(server.name, 'its login server did not begin one');
  const scope = url.searchParams.get('scope');
  await vault.addPending(state, {
    userId: user.id,
    server: { agent: server.agent, name: server.name, url: server.url },
    redirectUri,
    codeVerifier,
    metadata,
    client,
    ...(resource !== undefined && { resource }),
    ...(scope !== null && { scope }),
    ...(browser !== undefined && { browser: hash(browser) }),
    expiresAt: clock.date().getTime() + LOGIN_MS,
  });
  return { url: url.href };
}

/** The facts of a login that the SDK hands over one by one. */
interface Draft {
  url?: URL;
  metadata?: AuthorizationServerMetadata;
  client?: StoredOAuthClientInformation;
  codeVerifier?: string;
  resource?: string;
}

interface ProviderOptions {
  server: OAuthServer;
  begin: BeginLogin;
  state: string;
  draft: Draft;
}

function createProvider({ vault }: LoginDeps, { server, begin, state, draft }: ProviderOptions): OAuthClientProvider {
  const { redirectUri } = begin;
  const clientMetadataUrl = server.clientMetadataUrl ?? begin.clientMetadataUrl;
  const keep = (client: StoredOAuthClientInformation | undefined) => {
    if (client) draft.client = client;
    return client;
  };
  return {
    redirectUrl: redirectUri,
    ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
    clientMetadata: clientMetadata(redirectUri),
    state: () => state,
    async clientInformation({ issuer = '' } = { issuer: '' }) {
      const { clientId: client_id, clientSecret: client_secret } = server;
      if (client_id !== undefined) return keep({ client_id, ...(client_secret && { client_secret }), issuer });
      return keep(await vault.readClient(server, redirectUri));
    },
    async saveClientInformation(client) {
      keep(client);
      if (server.clientId === undefined) await vault.writeClient(server, redirectUri, client);
    },
    tokens: () => undefined,
    saveTokens() {},
    saveDiscoveryState({ authorizationServerMetadata: metadata }) {
      draft.metadata = checkMetadata(metadata, server);
    },
    discoveryState: () => undefined,
    saveResourceUrl(resource) {
      draft.resource = resource;
    },
    saveCodeVerifier(verifier) {
      draft.codeVerifier = verifier;
    },
    codeVerifier: () => draft.codeVerifier ?? '',
    redirectToAuthorization(url) {
      draft.url = url;
    },
  };
}

/** How this program describes itself to a login server. */
function clientMetadata(redirectUri: string) {
  return {
    client_name: 'HoloDeck',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  };
}

/** A server without metadata has no issuer to check, and one without PKCE would accept a stolen code. */
function checkMetadata(metadata: AuthorizationServerMetadata | undefined, server: OAuthServer) {
  if (!metadata) throw refuseLogin(server.name, 'its login server publishes no metadata');
  if (!metadata.code_challenge_methods_supported?.includes('S256'))
    throw refuseLogin(server.name, 'its login server does not support PKCE');
  if (server.issuer !== undefined && server.issuer !== metadata.issuer)
    throw refuseLogin(server.name, `its login server is not the issuer ${server.issuer}`);
  const { issuer, authorization_endpoint, token_endpoint, registration_endpoint } = metadata;
  const revocation = 'revocation_endpoint' in metadata ? metadata.revocation_endpoint : undefined;
  for (const address of [issuer, authorization_endpoint, token_endpoint, registration_endpoint, revocation]) {
    if (typeof address === 'string') checkAddress(new URL(address), rulesOf(server));
  }
  return metadata;
}

/** Checks that the answer belongs to the browser that began the login. Its state is used up already. */
export function checkBrowser({ browser: expected, server }: PendingLogin, given: string | undefined): void {
  if (expected === undefined) return;
  const isSame = given !== undefined && timingSafeEqual(Buffer.from(hash(given)), Buffer.from(expected));
  if (!isSame) throw refuseLogin(server.name, 'the login began in another browser');
}

/** Redeems the code of a callback and stores the tokens. `iss` is checked before anything is sent. */
export async function finishLogin(
  { vault, clock }: Pick<LoginDeps, 'vault' | 'clock'>,
  server: OAuthServer,
  { user, pending, params }: { user: User; pending: PendingLogin; params: URLSearchParams },
): Promise<void> {
  const sdk = await import('@modelcontextprotocol/client');
  const { metadata, client, codeVerifier, redirectUri, resource, scope } = pending;
  const iss = params.get('iss') ?? undefined;
  try {
    sdk.validateAuthorizationResponseIssuer({
      iss,
      expectedIssuer: metadata.issuer,
      issParameterSupported: metadata.authorization_response_iss_parameter_supported === true,
    });
    const code = params.get('code');
    if (!code)
      throw refuseLogin(server.name, params.get('error') === 'access_denied' ? 'it was not allowed' : 'it was refused');
    const tokens = await sdk.exchangeAuthorization(metadata.issuer, {
      metadata,
      clientInformation: client,
      authorizationCode: code,
      codeVerifier,
      redirectUri,
      ...(iss !== undefined && { iss }),
      ...(resource !== undefined && { resource }),
      fetchFn: createOAuthFetch({ rules: rulesOf(server) }),
    });
    if (tokens.token_type.toLowerCase() !== 'bearer')
      throw refuseLogin(server.name, 'its tokens are of an unknown kind');
    const { url, allowedHosts } = server;
    const facts = { client, metadata, url, allowedHosts, ...(resource !== undefined && { resource }) };
    await vault.writeGrant(user, server, { ...facts, ...toGrantTokens(tokens, clock, scope) });
  } catch (error) {
    if (error instanceof sdk.OAuthError && ['invalid_client', 'unauthorized_client'].includes(error.code))
      await vault.forgetClient(server, redirectUri);
    throw error instanceof AppError ? error : await explainLogin(error, server.name);
  }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
