import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Agent } from '../schema/agent.ts';

/** Where everything is kept: as chosen, else beside the agent's file, else in the user's own data folder. */
export function dataFolder(chosen: string | undefined, agent?: Agent): string {
  const folder = chosen ?? process.env.HOLODECK_DATA;
  if (folder) return resolve(folder);
  if (agent) return join(agent.folder, '.holodeck');
  return join(process.env.XDG_DATA_HOME ?? join(homedir(), '.local', 'share'), 'holodeck');
}
