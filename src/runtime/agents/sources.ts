import { join } from 'node:path';
import packageJson from '../../../package.json' with { type: 'json' };
import type { Clock } from '../../clock.ts';
import type { Ids } from '../../ids.ts';
import type { WordVectors } from '../../language/word-vectors.ts';
import type { Log, Report } from '../../log.ts';
import type { Logins } from '../../mcp/oauth/logins.ts';
import { LoginNeeded, type ServerAccess } from '../../mcp/server-access.ts';
import type { AcceptedMemory } from '../../mcp/supervise/accepted-definitions.ts';
import type { RemoteMcpTool } from '../../mcp/supervise/supervisor.ts';
import type { Model } from '../../models/model.ts';
import type { Agent, FunctionTool, McpTool } from '../../schema/agent.ts';
import type { User } from '../../schema/user.ts';
import type { ComposedSpace } from '../../space/space-composer.ts';
import type { Store, ToolServer } from '../../store/store.ts';
import { openTaskStore } from '../../tasks/open-task-store.ts';
import type { Tool, ToolSource } from '../../tools/tool.ts';
import { oauthServersOf } from '../logins.ts';

export interface SourceOptions {
  agent: Agent;
  /** The data folder, where built-in tools store their tables. */
  folder: string;
  clock: Clock;
  ids: Ids;
  /** Word vectors for comparing questions; loaded on first use. */
  vectors: () => WordVectors;
  /** Writes SQL when no trusted question of a space matches. */
  writer?: Model;
  /** Stores which tool definitions of MCP servers were accepted; without it they are kept in memory. */
  store?: Store;
  /** Logins of users to MCP servers; without it such servers cannot be used. */
  logins?: () => Logins;
  log?: Log;
  /** Receives details that only the agent's author should see. */
  report?: Report;
  /** Receives each local space, for reading questions over all of them. */
  onSpace?: (space: ComposedSpace) => void;
}

/** Opens the sources under `tools` in agent.yaml. Loads only the modules in use; a server starts when first needed. */
export async function openSources(options: SourceOptions): Promise<ToolSource[]> {
  const { agent } = options;
  const functions = agent.tools.filter((entry): entry is FunctionTool => entry.type === 'function');
  const servers = agent.tools.filter((entry): entry is McpTool => entry.type === 'mcp');
  const sources = servers.map((entry) => openServer(entry, options));
  if (functions.length > 0) sources.unshift(openFunctions(functions, options));
  return Promise.all(sources);
}

async function openFunctions(tools: FunctionTool[], { agent, log, report }: SourceOptions): Promise<ToolSource> {
  const { createFunctionSource } = await import('../../tools/functions/function-tools.ts');
  const { name, folder } = agent;
  const toLog = log && { log: (text: string) => log(text, { agent: name }) };
  return createFunctionSource({ name, folder, tools, ...toLog, ...(report && { report }) });
}

async function openServer(entry: McpTool, options: SourceOptions): Promise<ToolSource> {
  if (entry.transport !== 'builtin') return openRemote(entry, options);
  if (entry.server === 'space') return withEntry(await openSpace(entry, options), entry);
  const { createTaskSource } = await import('../../tasks/task-source.ts');
  const { folder, clock, ids, agent } = options;
  const store = await openTaskStore({ database: agent.database, folder, now: clock.date, ids });
  return withEntry(createTaskSource({ name: entry.name, store }), entry);
}

async function openSpace(
  { name, file = '', prefix = '' }: Extract<McpTool, { transport: 'builtin' }>,
  { agent, folder, clock, ids, vectors, writer, log, onSpace }: SourceOptions,
): Promise<ToolSource> {
  const [{ loadSpace }, { createSpaceSource }] = await Promise.all([
    import('../../space/load/load-space.ts'),
    import('../../space/space-source.ts'),
  ]);
  const space = await loadSpace(file, { root: agent.folder });
  const more = writer && { model: writer };
  const onOpen = (views: ComposedSpace['views']) => {
    const id = space.file.name;
    onSpace?.({
      order: agent.tools.findIndex((tool) => tool.name === name),
      file: space.file,
      tool: `${prefix}run_query_${id}`,
      asks: `${prefix}query_space_${id}`,
      views,
    });
  };
  return createSpaceSource({ name, space, folder: join(folder, 'spaces'), clock, ids, vectors, log, onOpen, ...more });
}

async function openRemote(
  entry: RemoteMcpTool,
  { agent, clock, log, report, store, logins }: SourceOptions,
): Promise<ToolSource> {
  const { createMcpSource } = await import('../../mcp/supervise/supervisor.ts');
  return createMcpSource(entry, {
    clock,
    log: { warn: (fields, text) => log?.(text, { agent: agent.name, ...fields }) },
    folder: agent.folder,
    version: packageJson.version,
    ...(report && { report }),
    ...accessTo(entry, agent, logins),
    ...(store && { accepted: (server: string, user?: User) => memoryIn(store, { agent: agent.name, server }, user) }),
  });
}

/** A turn without a store has no logins, so it can only say that one is needed. */
function accessTo(entry: RemoteMcpTool, agent: Agent, logins: (() => Logins) | undefined) {
  const server = oauthServersOf(agent).find(({ name }) => name === entry.name);
  if (!server) return {};
  // A missing key is found at the start, not in a turn.
  const opened = logins?.();
  if (opened) return { access: (user: User) => opened.access(server, user) };
  const needed = () => new LoginNeeded(entry.name, 'this run stores no logins');
  const none: ServerAccess = {
    findObstacle: async () => needed(),
    token: () => Promise.reject(needed()),
    onUnauthorized: () => Promise.reject(needed()),
    explain: async (error) => error,
  };
  return { access: () => none };
}

function memoryIn(store: Store, of: ToolServer, user: User | undefined): AcceptedMemory {
  return {
    read: () => store.readAcceptedTools(user, of),
    write: (accepted) => store.acceptTools(user, of, accepted),
  };
}

/** Applies the settings of a `tools` entry: allowed tools, bound arguments, approvals, and the name prefix. */
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
