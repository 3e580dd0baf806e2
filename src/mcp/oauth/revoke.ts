import type { Grant } from './grant.ts';
import { rulesOf } from './grant.ts';
import { createOAuthFetch } from './oauth-fetch.ts';

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
