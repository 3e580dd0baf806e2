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

/** The user's data folder, for data that belongs to none of the user's own agent files. */
export function userFolder(): string {
  return join(process.env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'holodeck');
}

/**
 * The data folder is next to the agent's file. Shipped agents use the user's data folder, because an update replaces
 * the package.
 */
export function defaultFolder(agent: Pick<Agent, 'folder'>): string {
  return isShipped(agent) ? userFolder() : join(agent.folder, '.holodeck');
}
