import type { Clock } from '../../clock.ts';
import { connectServer } from '../client/client.ts';
import { DEFAULT_LIMITS } from '../limits.ts';
import type { ServerAccess } from '../server-access.ts';
import type { Challenge, OAuthServer } from './grant.ts';

class Refused extends Error {}

/** Asks a server without a token, and returns what its refusal asks for. */
export async function probeChallenge(
  { url }: OAuthServer,
  { clock, version, signal }: { clock: Clock; version: string; signal: AbortSignal },
): Promise<Challenge> {
  const { extractWWWAuthenticateParams } = await import('@modelcontextprotocol/client');
  let seen: Challenge = {};
  const access: ServerAccess = {
    token: async () => undefined,
    async onUnauthorized({ response }) {
      const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
      seen = { ...(resourceMetadataUrl && { resourceMetadataUrl: resourceMetadataUrl.href }), ...(scope && { scope }) };
      throw new Refused('a login is needed');
    },
    findObstacle: async () => undefined,
    explain: async (error) => error,
  };
  const target = { transport: 'http' as const, url, headers: {}, access };
  try {
    const options = { clock, limits: DEFAULT_LIMITS, version, signal, onToolsChanged() {} };
    const connection = await connectServer(target, options);
    await connection.listTools(signal).finally(() => connection.close());
  } catch {
    // The well-known addresses of the server say the rest, or the login fails there with a reason.
  }
  return seen;
}
