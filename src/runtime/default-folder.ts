import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Agent } from '../schema/agent.ts';

/** `agents/` is next to the bundle's folder, and two levels above this source file. */
const SHIPPED_AGENTS = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../agents/' : '../agents/', import.meta.url),
);

/** The agent that runs when no file is given. */
export const DEFAULT_AGENT = join(SHIPPED_AGENTS, 'todo', 'agent.yaml');

/** Whether an agent's folder is part of this package. */
export function isShipped({ folder }: Pick<Agent, 'folder'>): boolean {
  if (!existsSync(SHIPPED_AGENTS)) return false;
  return realpathSync(folder).startsWith(realpathSync(SHIPPED_AGENTS) + sep);
}

/** The user's own data folder, for everything that belongs to no agent file of theirs. */
export function userFolder(): string {
  return join(process.env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'holodeck');
}

/** An agent's data is next to its file. A shipped agent's data is the user's: an update replaces the package's folder. */
export function defaultFolder(agent: Pick<Agent, 'folder'>): string {
  return isShipped(agent) ? userFolder() : join(agent.folder, '.holodeck');
}
