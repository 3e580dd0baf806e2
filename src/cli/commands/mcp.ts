import { join, resolve } from 'node:path';
import packageJson from '../../../package.json' with { type: 'json' };
import { systemClock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import { localAccount } from '../../identity/local-account.ts';
import { namedUser } from '../../identity/user.ts';
import { type ServeOptions, serveHttp, serveStdio } from '../../mcp/serve/serve.ts';
import { shareVectors } from '../../runtime/agents/domains.ts';
import type { User } from '../../schema/user.ts';
import { serveAgent } from '../../server/mcp/agent-server.ts';
import { loadSpace } from '../../space/load/load-space.ts';
import { openSpace } from '../../space/space-source.ts';
import { fixUser } from '../../tasks/fix-user.ts';
import { openTaskStore } from '../../tasks/open-task-store.ts';
import { createTaskTools } from '../../tasks/task-tools.ts';
import { untilSignal } from '../called-as.ts';
import { dataFolder, rootOf } from '../folders.ts';
import { modelOverrides } from '../model-flag.ts';
import { openAgents } from '../open-agent.ts';
import { printAside, warn } from '../print.ts';

export interface McpOptions {
  http?: number;
  data?: string;
}

export interface McpTasksOptions extends McpOptions {
  /** `local`, or a user's UUID: every call acts for this user. */
  user?: string;
}

/** `holodeck mcp tasks`: serves the task tools. Without `--user`, callers name the user in `user_id`. */
export async function runMcpTasks(options: McpTasksOptions): Promise<void> {
  const folder = dataFolder(options.data);
  const user = readUser(options.user, folder);
  const database = process.env.DATABASE_URL || undefined;
  if (database && options.user === 'local') {
    throw new AppError('usage', {
      detail: '--user local: every machine has another one. Name a UUID on a shared database.',
    });
  }
  const store = await openTaskStore({ database, folder });
  const isFixed = options.user !== undefined;
  const open = createTaskTools(store, { anyUser: !isFixed, isKeyed: false });
  const tools = isFixed ? open.map((tool) => fixUser(tool, user)) : open;
  const serving = { name: 'holodeck-tasks', version: packageJson.version, tools, user };
  await serve(serving, 'tasks', options).finally(() => store.close());
}

function readUser(given: string | undefined, folder: string): User {
  return given === undefined || given === 'local' ? localAccount(folder) : namedUser(given);
}

/** `holodeck mcp agent FILE`: serves the agent itself to one program, over stdin and stdout. */
export async function runMcpAgent(
  file: string,
  options: { data?: string; user?: string; model?: string },
): Promise<void> {
  const own = { overrides: modelOverrides(options.model), report: printAside, writeTrace: printAside };
  const opened = await openAgents([file], { ...options, ...own });
  try {
    await serveAgent({ runtime: opened.runtime, user: opened.user, onError: (error) => printAside(String(error)) });
  } finally {
    await opened.runtime.stop();
  }
}

/** `holodeck mcp space FILE`: serves the tools of one space. */
export async function runMcpSpace(file: string, options: McpOptions): Promise<void> {
  const folder = dataFolder(options.data);
  const space = await loadSpace(file, { root: rootOf(resolve(file)) });
  const { name } = space.file;
  const parts = { clock: systemClock, vectors: shareVectors(), log: warn };
  const opened = openSpace({ ...parts, name, space, folder: join(folder, 'spaces') });
  // Errors are ignored here: the first question waits for the files anyway and reports their faults.
  opened.warmUp().catch(() => {});
  const own = { name: `holodeck-space-${name}`, tools: opened.tools, user: localAccount(folder) };
  await serve({ ...own, version: packageJson.version }, name, options).finally(() => opened.close());
}

async function serve(serving: ServeOptions, what: string, { http }: McpOptions): Promise<void> {
  if (http === undefined) {
    const { closed } = await serveStdio(serving);
    await closed;
    return;
  }
  const server = await serveHttp({ ...serving, port: http });
  process.stdout.write(`MCP server for ${what} at ${server.url}\n`);
  process.stdout.write('No authentication: any program on this machine can use it as you.\n');
  await untilSignal();
  await server.close();
}
