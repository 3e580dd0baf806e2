import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs an action with a folder that is removed afterwards. */
export async function inTemporaryFolder<T>(action: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'holodeck-'));
  return action(folder).finally(() => rm(folder, { recursive: true, force: true }));
}
