import { systemClock } from '../clock.ts';
import { loadAgent } from '../config/load-agent.ts';
import { AppError } from '../errors.ts';
import { localAccount } from '../identity/local-account.ts';
import { systemIds } from '../ids.ts';
import { openStore } from '../runtime/open-store.ts';
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
export async function openOwnStore(
  file: string | undefined,
  options: OwnStoreOptions,
): Promise<{ store: Store; user: User }> {
  const { database, folder } = await findData(file, options);
  if (database !== undefined && options.user === undefined) {
    throw new AppError('usage', { detail: 'The data is in a shared database: name the user with --user <uuid>.' });
  }
  const user = options.user === undefined ? localAccount(folder) : userOption(options.user);
  return { store: await openStore({ database, folder, clock: systemClock, ids: systemIds }), user };
}
