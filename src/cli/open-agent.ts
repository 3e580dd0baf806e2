import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadAgent } from '../config/load-agent.ts';
import { localAccount } from '../identity/local-account.ts';
import { createRuntime, type Runtime } from '../runtime/runtime.ts';
import type { Agent } from '../schema/agent.ts';
import type { User } from '../schema/user.ts';
import { sanitizeText } from '../tools/sanitize.ts';
import { dataFolder } from './data-folder.ts';
import { createFileLog } from './file-log.ts';

export interface OpenOptions {
  data?: string;
  /** Settings from flags, in the shape of agent.yaml. */
  overrides?: Record<string, unknown>;
}

export interface Opened {
  runtime: Runtime;
  agents: Agent[];
  folder: string;
  user: User;
  /** No file was given: the agent that ships. */
  isShipped: boolean;
}

/** `agents/` stands beside the bundle's folder, and two levels above this source file. */
const AGENTS = import.meta.url.endsWith('.ts') ? '../../agents/' : '../agents/';
const SHIPPED_AGENT = fileURLToPath(new URL(`${AGENTS}todo/agent.yaml`, import.meta.url));

/** What every command begins with: the agents checked, the data folder opened, the local account known. */
export async function openAgents(files: readonly string[], options: OpenOptions): Promise<Opened> {
  const isShipped = files.length === 0;
  const paths = isShipped ? [SHIPPED_AGENT] : files;
  const agents: Agent[] = [];
  for (const path of paths) agents.push(await loadAgent(path, { overrides: options.overrides ?? {}, onWarning: warn }));
  const folder = dataFolder(options.data, isShipped ? undefined : agents[0]);
  const runtime = await createRuntime({ agents, folder, log: createFileLog(join(folder, 'holodeck.log')) });
  return { runtime, agents, folder, user: localAccount(folder), isShipped };
}

function warn(text: string): void {
  process.stderr.write(`warning: ${sanitizeText(text)}\n`);
}
