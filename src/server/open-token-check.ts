import { AppError } from '../errors.ts';
import type { VerifyToken } from '../identity/token.ts';
import type { ServerConfig } from '../schema/agent.ts';
import { isLoopback } from '../schema/scalars.ts';

/**
 * Returns the token check, or undefined if only this machine can reach the server. Without tokens it never allows
 * access from other machines, even for settings that did not pass the checks of agent.yaml.
 */
export async function openTokenCheck(
  { auth, host }: ServerConfig,
  warn: (text: string) => void,
): Promise<VerifyToken | undefined> {
  if (!auth) {
    if (isLoopback(host)) return undefined;
    throw new AppError('config_invalid', {
      detail: `${host} is reachable from other machines. Set server.auth, or use 127.0.0.1.`,
    });
  }
  const { createTokenCheck, SECRET_BYTES } = await import('../identity/token.ts');
  if (auth.jwt.secret !== undefined && Buffer.byteLength(auth.jwt.secret) < SECRET_BYTES) {
    warn(`server.auth.jwt.secret is shorter than ${SECRET_BYTES} bytes and can be guessed`);
  }
  return createTokenCheck(auth.jwt, auth);
}
