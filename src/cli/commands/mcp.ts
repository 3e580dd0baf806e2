import { join } from 'node:path';
import packageJson from '../../../package.json' with { type: 'json' };
import { localAccount } from '../../identity/local-account.ts';
import { serveHttp, serveStdio } from '../../mcp/serve.ts';
import { createSqliteTaskStore } from '../../tasks/sqlite-task-store.ts';
import { createTaskTools } from '../../tasks/task-tools.ts';
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
    if (options.http === undefined) {
      const { closed } = await serveStdio(serving);
      await closed;
      return;
    }
    const server = await serveHttp({ ...serving, port: options.http });
    process.stdout.write(`MCP server for tasks at ${server.url}, for programs on this machine\n`);
    await untilSignal();
    await server.close();
  } finally {
    await store.close();
  }
}
