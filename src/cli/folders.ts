import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { defaultFolder, userFolder } from '../runtime/default-folder.ts';
import type { Agent } from '../schema/agent.ts';

/** The data folder: the chosen one, else the agent's default, else the user's data folder. */
export function dataFolder(chosen: string | undefined, agent?: Pick<Agent, 'folder'>): string {
  const folder = chosen ?? process.env.HOLODECK_DATA;
  if (folder) return resolve(folder);
  return agent ? defaultFolder(agent) : userFolder();
}

/** Runs an action with a folder that is removed afterwards. */
export async function inTemporaryFolder<T>(action: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'holodeck-'));
  return action(folder).finally(() => rm(folder, { recursive: true, force: true }));
}

/** Tables may be anywhere in the folder of the agent that the space belongs to. */
export function rootOf(file: string): string {
  const folders = [dirname(file), dirname(dirname(file))];
  return folders.find((folder) => existsSync(join(folder, 'agent.yaml'))) ?? dirname(file);
}
