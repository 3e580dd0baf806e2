import packageJson from '../../package.json' with { type: 'json' };
import type { OAuthServer } from '../mcp/oauth/grant.ts';
import { LoginNeeded, type ServerAccess } from '../mcp/server-access.ts';
import type { AcceptedMemory } from '../mcp/supervise/accepted-definitions.ts';
import type { RemoteEntry } from '../mcp/supervise/supervisor.ts';
import { USER_VALUES } from '../schema/agent.ts';
import type { User } from '../schema/user.ts';
import type { Store, ToolServer } from '../store/store.ts';
import type { OpenedSource } from '../tools/tool.ts';
import type { Finding, Path } from '../yaml/problem.ts';
import type { EntryText } from './check-entry.ts';
import type { OpenOptions } from './kind.ts';

/** Opens an MCP server that is a program or an address. `login` is there if users log in to it. */
export async function openRemote(
  entry: RemoteEntry,
  { agent, clock, log, report, store, logins }: OpenOptions,
  login?: OAuthServer,
): Promise<OpenedSource> {
  const { createMcpSource } = await import('../mcp/supervise/supervisor.ts');
  const source = createMcpSource(entry, {
    clock,
    log: { warn: (fields, text) => log?.(text, { agent: agent.name, ...fields }) },
    folder: agent.folder,
    version: packageJson.version,
    ...(report && { report }),
    ...(login && { access: await accessTo(login, logins) }),
    ...(store && { accepted: (server: string, user?: User) => memoryIn(store, { agent: agent.name, server }, user) }),
  });
  return { source };
}

/** A turn without a store has no logins, so it can only say that one is needed. */
async function accessTo(server: OAuthServer, logins: OpenOptions['logins']): Promise<(user: User) => ServerAccess> {
  // A missing key is found at the start, not in a turn.
  const opened = await logins?.();
  if (opened) return (user) => opened.access(server, user);
  const needed = () => new LoginNeeded(server.name, 'this run stores no logins');
  const none: ServerAccess = {
    findObstacle: async () => needed(),
    token: () => Promise.reject(needed()),
    onUnauthorized: () => Promise.reject(needed()),
    explain: async (error) => error,
  };
  return () => none;
}

export function memoryIn(store: Store, of: ToolServer, user: User | undefined): AcceptedMemory {
  return {
    read: () => store.readAcceptedTools(user, of),
    write: (accepted) => store.acceptTools(user, of, accepted),
  };
}

/** Values of the user are filled in some texts of an entry; in the others they are a mistake. */
export function checkUserTexts(
  { filled, other }: { filled: readonly EntryText[]; other: readonly EntryText[] },
  path: Path,
): Finding[] {
  const unknown = filled
    .filter(({ text }) => (text.match(/\$user\.\w*/g) ?? []).some((name) => !USER_VALUES.includes(name)))
    .map(({ path: at }) => ({
      path: [...path, ...at],
      message: `unknown value of the user; use ${USER_VALUES.join(' or ')}`,
    }));
  const misplaced = other
    .filter(({ text }) => text.includes('$user.'))
    .map(({ path: at }) => ({ path: [...path, ...at], message: '$user.* is filled only in env, headers and bind' }));
  return [...unknown, ...misplaced];
}
