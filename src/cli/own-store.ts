import { systemClock } from '../clock.ts';
import { loadAgent } from '../config/load-agent.ts';
import { AppError } from '../errors.ts';
import { systemIds } from '../ids.ts';
import { openStore } from '../runtime/open-store.ts';
import { ConversationId } from '../schema/ids.ts';
import type { User } from '../schema/user.ts';
import type { Store } from '../store/store.ts';
import { dataFolder } from './data-folder.ts';
import { userOption } from './shared-database.ts';

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
    throw new AppError('usage', { detail: 'The data is in a shared database: name the user with --user <uuid>.' });
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
