import { AppError } from '../../errors.ts';
import { RefusedAddress } from './address-guard.ts';

export function refuseLogin(server: string, why: string): AppError {
  return new AppError('login_failed', { detail: `The login to ${server} did not work: ${why}.` });
}

/** A sentence for people. The error itself is dropped: the text of a login server could repeat a secret. */
export async function explainLogin(error: unknown, server: string): Promise<AppError> {
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
