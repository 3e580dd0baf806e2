import type { Clock } from '../../clock.ts';
import type { User } from '../../schema/user.ts';
import type { ServerAccess } from '../server-access.ts';
import { createAccess, revoke } from './access.ts';
import type { OAuthServer } from './grant.ts';
import type { BeginLogin } from './login.ts';
import { createSealer } from './seal.ts';
import type { SecretKeys } from './secret-key.ts';
import { createVault, type PendingLogin, type SecretMemory } from './vault.ts';

export interface LoginsOptions {
  memory: SecretMemory;
  keys: SecretKeys;
  clock: Clock;
  /** Our own version, as servers see it. */
  version: string;
}

/** The end of a login here; `revoked` = its server knows it too. */
type Ended = 'none' | 'revoked' | 'removed';

/** The logins of all users to the servers of all agents. */
export interface Logins {
  access(server: OAuthServer, user: User): ServerAccess;
  isLoggedIn(user: User, server: OAuthServer): Promise<boolean>;
  begin(server: OAuthServer, begin: BeginLogin): Promise<{ url: string }>;
  /** Takes a begun login by its state, which is good once. */
  take(state: string): Promise<PendingLogin | undefined>;
  finish(server: OAuthServer, answer: { user: User; pending: PendingLogin; params: URLSearchParams }): Promise<void>;
  end(user: User, server: OAuthServer): Promise<Ended>;
  /** Ends every login of a user and returns how many servers could not be informed. */
  endAll(user: User): Promise<{ ended: number; failed: number }>;
}

export function createLogins({ memory, keys, clock, version }: LoginsOptions): Logins {
  const vault = createVault(memory, createSealer(keys), clock);
  const probe = async (server: OAuthServer, signal: AbortSignal) =>
    (await import('./probe.ts')).probeChallenge(server, { clock, version, signal });
  const deps = { vault, clock, probe };
  return {
    access: (server, user) => createAccess({ vault, clock, server, user }),
    isLoggedIn: async (user, server) => (await vault.readGrant(user, server)) !== undefined,
    begin: async (server, begin) => (await import('./login.ts')).beginLogin(deps, server, begin),
    take: vault.takePending,
    finish: async (server, answer) => (await import('./login.ts')).finishLogin(deps, server, answer),
    async end(user, server) {
      const grant = await vault.takeGrant(user, server);
      if (!grant) return 'none';
      return (await revoke(grant)) ? 'revoked' : 'removed';
    },
    async endAll(user) {
      const grants = await vault.takeAll(user);
      const revoked = await Promise.all(grants.map(revoke));
      return { ended: grants.length, failed: revoked.filter((isRevoked) => !isRevoked).length };
    },
  };
}
