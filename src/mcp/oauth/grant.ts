import { createHash } from 'node:crypto';
import type { AuthorizationServerMetadata, StoredOAuthClientInformation } from '@modelcontextprotocol/client';
import type { AddressRules } from './address-guard.ts';

/** The `tools` entry of an agent that users log in to. */
export interface OAuthServer {
  agent: string;
  name: string;
  url: string;
  /** A client that was registered by hand. */
  clientId?: string;
  clientSecret?: string;
  /** The only authorization server that such a client is for. */
  issuer?: string;
  /** The https address of our client metadata document. */
  clientMetadataUrl?: string;
  scopes?: readonly string[];
  /** Hosts of the login that may be in a private network. */
  allowedHosts: readonly string[];
}

/** The facts that `refresh` and `revoke` need; no configuration is read again. */
export interface Grant {
  accessToken: string;
  refreshToken?: string;
  scope?: string;
  /** Milliseconds of the wall clock. */
  expiresAt?: number;
  client: StoredOAuthClientInformation;
  metadata: AuthorizationServerMetadata;
  resource?: string;
  /** The server and the hosts that its addresses may have. */
  url: string;
  allowedHosts: readonly string[];
}

/** A demand of the server: where its metadata are, and the scope that a request needed. */
export interface Challenge {
  resourceMetadataUrl?: string;
  scope?: string;
}

/** Another address under the same name is another server: no login of the former one is sent to it. */
export function keyOf({ agent, name, url }: Pick<OAuthServer, 'agent' | 'name' | 'url'>): string {
  return `${agent} ${name} ${shortHash(url)}`;
}

export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

export function rulesOf({ url, allowedHosts }: Pick<OAuthServer, 'url' | 'allowedHosts'>): AddressRules {
  return { server: new URL(url), allowedHosts };
}
