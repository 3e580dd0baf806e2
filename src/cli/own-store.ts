import { systemClock } from '../clock.ts';
import { loadAgent } from '../config/load-agent.ts';
import { AppError } from '../errors.ts';
import { localAccount } from '../identity/local-account.ts';
import { namedUser } from '../identity/user.ts';
import { systemIds } from '../ids.ts';
import { openStore } from '../runtime/open-store.ts';
import type { Agent } from '../schema/agent.ts';
import { ConversationId } from '../schema/ids.ts';
import type { User } from '../schema/user.ts';
import type { Store } from '../store/store.ts';
import { dataFolder } from './folders.ts';

export interface OwnStoreOptions {
  data?: string;
  user?: string;
}

/** Where an agent's data is: a shared database, or the data folder. */
export async function findData(file: string | undefined, options: Pick<OwnStoreOptions, 'data'>) {
  const agent = file === undefined ? undefined : await loadAgent(file);
  const database = agent?.database ?? (process.env.DATABASE_URL || undefined);
  return { database, folder: dataFolder(options.data, agent) };
}

/** Opens the store of an agent for one user: the local account, or on a shared database the one of `--user`. */
export async function withOwnStore<T>(
  file: string | undefined,
  options: OwnStoreOptions,
  action: (store: Store, user: User) => Promise<T>,
): Promise<T> {
  const { database, folder } = await findData(file, options);
  if (database !== undefined && options.user === undefined) {
    throw new AppError('usage', { detail: 'The data is in a shared database: name the user with --user <id>.' });
  }
  const user = userOption(options.user, folder);
  const store = await openStore({ database, folder, clock: systemClock, ids: systemIds });
  return action(store, user).finally(() => store.close());
}

/** The id of a conversation as a person typed it. */
export function readConversationId(given: string): string {
  const { data } = ConversationId.safeParse(given);
  if (data === undefined)
    throw new AppError('usage', { detail: `${JSON.stringify(given)} is no id of a conversation.` });
  return data;
}

export interface DatabaseOptions {
  /** The user in place of the local account. */
  user?: string;
  /** Requests bring tokens of their users. */
  hasTokens?: boolean;
}

/** The agents with the database that they share, if there is one. */
export function withDatabase(agents: readonly Agent[], options: DatabaseOptions): Agent[] {
  const shared = agents.map(withDatabaseUrl);
  for (const agent of shared) requireUser(agent, options);
  return shared;
}

/** `DATABASE_URL` applies where the file names no database. */
export function withDatabaseUrl(agent: Agent): Agent {
  const url = process.env.DATABASE_URL;
  return agent.database === undefined && url ? { ...agent, database: url } : agent;
}

/** Each machine has a local account of its own, so on a shared database it would be a different user on each. */
function requireUser({ name, database, server }: Agent, { user, hasTokens }: DatabaseOptions): void {
  if (database === undefined || user !== undefined || (hasTokens && server.auth)) return;
  const need = hasTokens ? 'set server.auth, or start with --user <id>' : 'start with --user <id>';
  const detail = `${name}: a shared database needs to know the user, because every machine has another local account: ${need}.`;
  throw new AppError('config_invalid', { detail });
}

/** The user of `--user`, in the namespace of the agent's tokens if it has any; or the local account of a data folder. */
export function userOption(given: string | undefined, folder: string, agents: readonly Agent[] = []): User {
  const issuer = agents.find(({ server }) => server.auth)?.server.auth?.jwt.issuer;
  return given === undefined ? localAccount(folder) : namedUser(given, issuer ? { issuer } : {});
}
