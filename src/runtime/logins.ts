import packageJson from '../../package.json' with { type: 'json' };
import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import { storedUser } from '../identity/user.ts';
import { kindOf } from '../kinds/tool-kinds.ts';
import type { OAuthServer } from '../mcp/oauth/grant.ts';
import type { Logins } from '../mcp/oauth/logins.ts';
import type { Agent } from '../schema/agent.ts';
import type { Store } from '../store/store.ts';
import type { LoginInput, LoginViews } from './login-views.ts';

export interface LoginPlace {
  store: Store;
  folder: string;
  clock: Clock;
}

/** The servers of an agent that users log in to. */
export function oauthServersOf(agent: Agent): OAuthServer[] {
  return agent.tools.flatMap((entry) => kindOf(entry).login?.(entry, agent) ?? []);
}

function findOAuthServer(agent: Agent, name: string): OAuthServer {
  const servers = oauthServersOf(agent);
  const found = servers.find((server) => server.name === name);
  if (found) return found;
  const names = servers.map((server) => server.name).join(', ') || 'none';
  throw new AppError('not_found', {
    detail: `${agent.name} has no server of this name with auth: oauth. It has: ${names}.`,
  });
}

/** Opens the logins in a store. The key is read, or made, now. */
export async function openLogins({ store, folder, clock }: LoginPlace): Promise<Logins> {
  const { createLogins } = await import('../mcp/oauth/logins.ts');
  const { readSecretKeys } = await import('../mcp/oauth/secret-key.ts');
  const keys = readSecretKeys({ folder, isShared: store.isShared });
  return createLogins({ memory: store, keys, clock, version: packageJson.version });
}

/** Opens the logins when they are first needed: an agent without such servers needs no key. */
export function openLoginsOnce(place: LoginPlace): () => Promise<Logins> {
  let opened: Promise<Logins> | undefined;
  return () => {
    opened ??= openLogins(place);
    return opened;
  };
}

export function loginViews(logins: () => Promise<Logins>, findAgent: (name: string) => Agent): LoginViews {
  const find = ({ agent, server }: LoginInput) => findOAuthServer(findAgent(agent), server);
  return {
    async listLogins(user, agent) {
      const servers = oauthServersOf(findAgent(agent));
      return Promise.all(
        servers.map(async (server) => ({
          server: server.name,
          logged_in: await (await logins()).isLoggedIn(user, server),
        })),
      );
    },
    beginLogin: async (user, { agent, server, ...begin }) =>
      (await logins()).begin(find({ agent, server }), { user, ...begin }),
    async finishLogin({ params, browser, user }) {
      const opened = await logins();
      const pending = await opened.take(params.get('state') ?? '');
      if (!pending) throw unknownLogin();
      const { checkBrowser } = await import('../mcp/oauth/login.ts');
      checkBrowser(pending, browser);
      if (user && user.id !== pending.userId) throw unknownLogin();
      const { agent, name, url } = pending.server;
      const server = find({ agent, server: name });
      if (server.url !== url) throw unknownLogin();
      await opened.finish(server, { user: storedUser(pending.userId), pending, params });
      return { agent, server: name };
    },
    endLogin: async (user, input) => (await logins()).end(user, find(input)),
  };
}

function unknownLogin(): AppError {
  const detail = 'This login is not known, was used already, or took longer than 10 minutes. Begin it again.';
  return new AppError('login_failed', { detail });
}
