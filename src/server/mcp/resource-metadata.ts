import type { ServerConfig } from '../../schema/agent.ts';
import type { HttpApp } from '../http/app.ts';
import type { HttpRequest } from '../http/request.ts';

export const MCP_PATH = '/mcp';
/** RFC 9728. */
export const METADATA_PATH = '/.well-known/oauth-protected-resource';

/** The issuer of this server's tokens, for clients that sign in by themselves; undefined without authentication. */
export function resourceMetadata({ auth }: ServerConfig, request: HttpRequest): Record<string, unknown> | undefined {
  if (!auth) return undefined;
  const isAddress = URL.canParse(auth.jwt.issuer);
  return {
    resource: `${originOf(request)}${MCP_PATH}`,
    ...(isAddress && { authorization_servers: [auth.jwt.issuer] }),
    bearer_methods_supported: ['header'],
    resource_name: 'HoloDeck',
  };
}

/** A client of the MCP server learns from the refusal where to sign in. Added before the hook that refuses. */
export function addMcpChallenge(app: HttpApp): void {
  app.addHook((request) => {
    if (request.path !== MCP_PATH) return;
    request.challenge = `Bearer resource_metadata="${originOf(request)}${METADATA_PATH}${MCP_PATH}"`;
  });
}

function originOf({ scheme, host }: HttpRequest): string {
  return `${scheme}://${host}`;
}
