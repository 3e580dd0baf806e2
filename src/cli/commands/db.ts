import { systemClock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import { storedUser } from '../../identity/user.ts';
import { systemIds } from '../../ids.ts';
import { openLogins } from '../../runtime/logins.ts';
import { openAdmin, openStore } from '../../runtime/open-store.ts';
import { Uuid } from '../../schema/ids.ts';
import type { StoreAdmin } from '../../store/admin.ts';
import { openTaskStore } from '../../tasks/open-task-store.ts';
import { findData, type OwnStoreOptions } from '../own-store.ts';
import { count } from '../print.ts';

export type DbOptions = Pick<OwnStoreOptions, 'data'>;

async function withAdmin(
  file: string | undefined,
  options: DbOptions,
  action: (admin: StoreAdmin, where: Awaited<ReturnType<typeof findData>>) => Promise<string>,
): Promise<void> {
  const where = await findData(file, options);
  const admin = await openAdmin(where);
  try {
    process.stdout.write(`${await action(admin, where)}\n`);
  } finally {
    await admin.close();
  }
}

/** `holodeck db migrate`: brings the tables to the newest version, for a rollout that does it as a step of its own. */
export function migrateDatabase(file: string | undefined, options: DbOptions): Promise<void> {
  return withAdmin(file, options, async (admin) => {
    const { from, to } = await admin.migrate();
    return from === to
      ? `The tables have version ${to}; nothing was to be done.`
      : `The tables went from version ${from} to ${to}.`;
  });
}

/** `holodeck db status`: what is stored where. Changes nothing. */
export function showStatus(file: string | undefined, options: DbOptions): Promise<void> {
  return withAdmin(file, options, async (admin) => {
    const { kind, place, version, newest, conversations, turns, runners } = await admin.status();
    const state =
      version === 0
        ? 'no tables yet'
        : `tables of version ${version}${version < newest ? `, which the next start brings to ${newest}` : ''}`;
    const counts = [count(conversations, 'conversation'), count(turns, 'turn'), count(runners, 'running process')];
    return `${kind} ${place}: ${state}; ${counts.join(', ')}`;
  });
}

/** `holodeck db backup`: a copy of everything, while servers run. */
export function backUp(folder: string, file: string | undefined, options: DbOptions): Promise<void> {
  return withAdmin(file, options, async (admin) => {
    await admin.backup(folder);
    return `The copy is in ${folder}.`;
  });
}

/** `holodeck db restore`: brings back a copy; in SQLite in place of what is there, which is kept aside. */
export function restoreFrom(folder: string, file: string | undefined, options: DbOptions): Promise<void> {
  return withAdmin(file, options, async (admin) => {
    const { kept, ...counts } = await admin.restore(folder);
    const rows = Object.entries(counts).map(([table, count]) => `${count} ${table}`);
    const before = kept === undefined ? '' : `\nThe previous database is in ${kept}.`;
    return `Restored from ${folder}: ${rows.join(', ')}.${before}`;
  });
}

/** `holodeck db erase-user`: removes everything of one user, tasks included, of a database that the caller names. */
export function eraseUser(id: string, file: string | undefined, options: DbOptions): Promise<void> {
  if (!Uuid.safeParse(id).success) throw new AppError('usage', { detail: `${JSON.stringify(id)} is no id of a user.` });
  if (!file && !options.data) {
    throw new AppError('usage', { detail: 'Add the agent.yaml, or --data <folder>, of the database to erase from.' });
  }
  return withAdmin(file, options, async (admin, { database, folder }) => {
    const { kind, place } = await admin.status();
    const revoked = await endLogins(id, { database, folder });
    const count = await admin.eraseUser(id, systemIds.uuid());
    const store = await openTaskStore({ database, folder });
    const tasks = await store.listTasks(id, { filter: 'all' });
    await store.eraseUser(id).finally(() => store.close());
    return count + tasks.length > 0 || revoked
      ? `Erased from ${kind} ${place}: conversations ${count}, tasks ${tasks.length}.${revoked} Audit records stay without arguments and without the user.`
      : `${kind} ${place} has no conversation and no task of this user.`;
  });
}

/** Revokes the user's tokens for MCP servers. Those that no key opens are removed without it. */
async function endLogins(id: string, { database, folder }: { database: string | undefined; folder: string }) {
  const store = await openStore({ database, folder, clock: systemClock, ids: systemIds });
  try {
    const user = storedUser(id);
    if ((await store.listSecrets(user)).length === 0) return '';
    const { ended, failed } = await (await openLogins({ store, folder, clock: systemClock })).endAll(user);
    const left = failed > 0 ? `, ${failed} of them not confirmed by their login server` : '';
    return ended > 0 ? ` ${ended} logins to MCP servers were ended${left}.` : '';
  } finally {
    await store.close();
  }
}
