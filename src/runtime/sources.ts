import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import type { WordVectors } from '../builtin/word-vectors.ts';
import type { Clock } from '../clock.ts';
import type { Log, Report } from '../log.ts';
import type { AcceptedMemory } from '../mcp/definition-book.ts';
import type { RemoteMcpTool } from '../mcp/supervisor.ts';
import type { Model } from '../models/model.ts';
import type { Agent, FunctionTool, McpTool } from '../schema/agent.ts';
import type { User } from '../schema/user.ts';
import type { Store, ToolServer } from '../store/store.ts';
import type { Tool, ToolSource } from '../tools/tool.ts';

export interface SourceOptions {
  agent: Agent;
  /** The data folder: tools of ours keep their tables there. */
  folder: string;
  clock: Clock;
  /** For comparing questions; loaded when first asked for. */
  vectors: () => WordVectors;
  /** Writes SQL where no trusted question of a space fits. */
  writer?: Model;
  /** Keeps which definitions of other people's servers were accepted; absent = this process does. */
  store?: Store;
  log?: Log;
  /** Takes what only the agent's author should see. */
  report?: Report;
}

/** Opens what `tools` in agent.yaml names. Loads only what is used; a server starts when it is first needed. */
export async function openSources(options: SourceOptions): Promise<ToolSource[]> {
  const { agent } = options;
  const functions = agent.tools.filter((entry): entry is FunctionTool => entry.type === 'function');
  const servers = agent.tools.filter((entry): entry is McpTool => entry.type === 'mcp');
  const sources = servers.map((entry) => openServer(entry, options));
  if (functions.length > 0) sources.unshift(openFunctions(functions, options));
  return Promise.all(sources);
}

async function openFunctions(tools: FunctionTool[], { agent, log, report }: SourceOptions): Promise<ToolSource> {
  const { createFunctionSource } = await import('../tools/function-tools.ts');
  const { name, folder } = agent;
  const toLog = log && { log: (text: string) => log(text, { agent: name }) };
  return createFunctionSource({ name, folder, tools, ...toLog, ...(report && { report }) });
}

async function openServer(entry: McpTool, options: SourceOptions): Promise<ToolSource> {
  if (entry.transport !== 'builtin') return openRemote(entry, options);
  if (entry.server === 'space') return withEntry(await openSpace(entry, options), entry);
  const [{ createTaskSource }, { createSqliteTaskStore }] = await Promise.all([
    import('../tasks/task-source.ts'),
    import('../tasks/sqlite-task-store.ts'),
  ]);
  const store = createSqliteTaskStore({ path: join(options.folder, 'tasks.db') });
  return withEntry(createTaskSource({ name: entry.name, store }), entry);
}

async function openSpace(
  { name, file = '' }: Extract<McpTool, { transport: 'builtin' }>,
  { agent, folder, clock, vectors, writer, log }: SourceOptions,
): Promise<ToolSource> {
  const [{ loadSpace }, { createSpaceSource }] = await Promise.all([
    import('../space/load-space.ts'),
    import('../space/space-source.ts'),
  ]);
  const space = await loadSpace(file, { root: agent.folder });
  const more = writer && { model: writer };
  return createSpaceSource({ name, space, folder: join(folder, 'spaces'), clock, vectors, log, ...more });
}

async function openRemote(
  entry: RemoteMcpTool,
  { agent, clock, log, report, store }: SourceOptions,
): Promise<ToolSource> {
  const { createMcpSource } = await import('../mcp/supervisor.ts');
  return createMcpSource(entry, {
    clock,
    log: { warn: (fields, text) => log?.(text, { agent: agent.name, ...fields }) },
    folder: agent.folder,
    version: packageJson.version,
    ...(report && { report }),
    ...(store && { accepted: (server: string, user?: User) => memoryIn(store, { agent: agent.name, server }, user) }),
  });
}

function memoryIn(store: Store, of: ToolServer, user: User | undefined): AcceptedMemory {
  return {
    read: () => store.readAcceptedTools(user, of),
    write: (accepted) => store.acceptTools(user, of, accepted),
  };
}

/** Applies what the entry says about the server's tools: which ones, what is bound, what asks first, what they are called. */
function withEntry(source: ToolSource, entry: McpTool): ToolSource {
  const { prefix = '' } = entry;
  const isAllowed = (tool: { name: string }) => !entry.allow || entry.allow.includes(tool.name);
  const apply = (tool: Tool): Tool => ({
    ...tool,
    ...(prefix && { name: `${prefix}${tool.name}`, serverName: tool.name }),
    bind: entry.bind,
    needsApproval: entry.approve.includes(tool.name),
    idempotent: (tool.idempotent ?? false) || entry.idempotent.includes(tool.name),
  });
  const applied = new WeakMap<Tool, Tool>();
  const applyOnce = (tool: Tool): Tool => {
    const known = applied.get(tool) ?? apply(tool);
    applied.set(tool, known);
    return known;
  };
  return {
    ...source,
    status() {
      const status = source.status();
      const tools = status.tools.filter(isAllowed).map((tool) => ({ ...tool, name: `${prefix}${tool.name}` }));
      return { ...status, tools };
    },
    tools: async (user, options) => (await source.tools(user, options)).filter(isAllowed).map(applyOnce),
  };
}
