import packageJson from '../../../package.json' with { type: 'json' };
import { isLoopback } from '../../schema/scalars.ts';
import type { Me } from '../../schema/server.ts';
import type { User } from '../../schema/user.ts';
import type { ServerDeps } from '../deps.ts';
import { isDeveloper } from '../identity.ts';

/** The user of a request, with what the server knows about the way to it. */
export function describeUser({ server }: Pick<ServerDeps, 'server'>, user: User): Me {
  const { id, name, timezone } = user;
  return {
    id,
    ...(name !== undefined && { name }),
    zone: timezone ?? server.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    auth: server.auth ? 'token' : 'none',
    reach: isLoopback(server.host) ? 'loopback' : 'network',
    is_developer: isDeveloper(server, user),
    version: packageJson.version,
  };
}
