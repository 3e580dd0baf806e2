import { AppError } from '../errors.ts';
import { localAccount } from '../identity/local-account.ts';
import { userFromId } from '../identity/user.ts';
import type { Agent } from '../schema/agent.ts';
import { Uuid } from '../schema/ids.ts';
import type { User } from '../schema/user.ts';

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
  const need = hasTokens ? 'set server.auth, or start with --user <uuid>' : 'start with --user <uuid>';
  const detail = `${name}: a shared database needs to know the user, because every machine has another local account: ${need}.`;
  throw new AppError('config_invalid', { detail });
}

/** The user of `--user`, or the local account of a data folder. */
export function userOption(given: string | undefined, folder: string): User {
  if (given === undefined) return localAccount(folder);
  if (Uuid.safeParse(given).success) return userFromId(given);
  throw new AppError('usage', { detail: `--user ${given}: use a user's UUID.` });
}
