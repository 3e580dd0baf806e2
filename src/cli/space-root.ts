import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Tables may be anywhere in the folder of the agent that the space belongs to. */
export function rootOf(file: string): string {
  const folders = [dirname(file), dirname(dirname(file))];
  return folders.find((folder) => existsSync(join(folder, 'agent.yaml'))) ?? dirname(file);
}
