import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import packageJson from '../../../package.json' with { type: 'json' };
import { systemClock } from '../../clock.ts';
import { localAccount } from '../../identity/local-account.ts';
import { type ServeOptions, serveHttp, serveStdio } from '../../mcp/serve.ts';
import { shareVectors } from '../../runtime/domains.ts';
import { loadSpace } from '../../space/load-space.ts';
import { openSpace } from '../../space/space-source.ts';
import { createSqliteTaskStore } from '../../tasks/sqlite-task-store.ts';
import { createTaskTools } from '../../tasks/task-tools.ts';
import { sanitizeText } from '../../tools/sanitize.ts';
import { dataFolder } from '../data-folder.ts';
import { untilSignal } from '../until-signal.ts';

export interface McpOptions {
  http?: number;
  data?: string;
}

/** `holodeck mcp tasks`: the task tools for other programs, which say in `user_id` whose tasks they mean. */
export async function runMcpTasks(options: McpOptions): Promise<void> {
  const folder = dataFolder(options.data);
  const store = createSqliteTaskStore({ path: join(folder, 'tasks.db') });
  const tools = createTaskTools(store, { source: 'tasks', anyUser: true });
  const serving = { name: 'holodeck-tasks', version: packageJson.version, tools, user: localAccount(folder) };
  try {
    await serve(serving, 'tasks', options);
  } finally {
    await store.close();
  }
}

/** `holodeck mcp space FILE`: the query and poll tools of one space. */
export async function runMcpSpace(file: string, options: McpOptions): Promise<void> {
  const folder = dataFolder(options.data);
  const space = await loadSpace(file, { root: rootOf(resolve(file)) });
  const { name } = space.file;
  const vectors = shareVectors();
  const log = (text: string) => void process.stderr.write(`warning: ${sanitizeText(text)}\n`);
  const opened = openSpace({ name, space, folder: join(folder, 'spaces'), clock: systemClock, vectors, log });
  // The first question waits for the files anyway, and says what is wrong with them.
  opened.warmUp().catch(() => {});
  const user = localAccount(folder);
  try {
    await serve(
      { name: `holodeck-space-${name}`, version: packageJson.version, tools: opened.tools, user },
      name,
      options,
    );
  } finally {
    opened.close();
  }
}

/** Tables may lie anywhere in the folder of the agent that the space belongs to. */
function rootOf(file: string): string {
  const folders = [dirname(file), dirname(dirname(file))];
  return folders.find((folder) => existsSync(join(folder, 'agent.yaml'))) ?? dirname(file);
}

async function serve(serving: ServeOptions, what: string, { http }: McpOptions): Promise<void> {
  if (http === undefined) {
    const { closed } = await serveStdio(serving);
    await closed;
    return;
  }
  const server = await serveHttp({ ...serving, port: http });
  process.stdout.write(`MCP server for ${what} at ${server.url}, for programs on this machine\n`);
  await untilSignal();
  await server.close();
}
