import { resolve } from 'node:path';
import { defaultFolder, userFolder } from '../runtime/default-folder.ts';
import type { Agent } from '../schema/agent.ts';

/** Where everything is kept: the chosen folder, else the agent's default, else the user's own data folder. */
export function dataFolder(chosen: string | undefined, agent?: Agent): string {
  const folder = chosen ?? process.env.HOLODECK_DATA;
  if (folder) return resolve(folder);
  return agent ? defaultFolder(agent) : userFolder();
}
