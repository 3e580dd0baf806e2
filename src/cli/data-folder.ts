import { resolve } from 'node:path';
import { defaultFolder, userFolder } from '../runtime/default-folder.ts';
import type { Agent } from '../schema/agent.ts';

/** The data folder: the chosen one, else the agent's default, else the user's data folder. */
export function dataFolder(chosen: string | undefined, agent?: Pick<Agent, 'folder'>): string {
  const folder = chosen ?? process.env.HOLODECK_DATA;
  if (folder) return resolve(folder);
  return agent ? defaultFolder(agent) : userFolder();
}
