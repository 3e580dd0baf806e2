import { createHash } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import type { Report } from '../../log.ts';
import { createEnvironmentRedactor } from '../../redaction/agent-secrets.ts';
import type { JsonObject } from '../../schema/json.ts';
import type { User } from '../../schema/user.ts';
import type { ListOptions, Tool, ToolContext, ToolOutcome, ToolSource } from '../../tools/tool.ts';
import type { connectServer } from '../client/client.ts';
import { serverEnvironment } from '../client/environment.ts';
import type { ServerTarget } from '../client/open-transport.ts';
import { DEFAULT_LIMITS, type Log, type SupervisorLimits } from '../limits.ts';
import type { ServerAccess } from '../server-access.ts';
import type { AcceptedMemory } from './accepted-definitions.ts';
import type { Definition } from './definitions.ts';
import { createSharedPool, createUserPool, type ServerPool } from './server-pool.ts';
import { describeSource, type McpSourceStatus } from './source-status.ts';
import { createSupervisedServer } from './supervised-server.ts';

interface ServerSettings {
  name: string;
  allow?: string[] | undefined;
  bind: Record<string, string>;
  connection: 'shared' | 'per_user';
  approve: string[];
  idempotent: string[];
  prefix?: string | undefined;
}

/** A `tools` entry with a server that is a program or an address. */
export type RemoteEntry = ServerSettings &
  (
    | { transport: 'stdio'; command: string; args: string[]; env: Record<string, string> }
    | { transport: 'http'; url: string; headers: Record<string, string>; auth?: 'oauth' | undefined }
  );

export interface McpSourceOptions {
  clock: Clock;
  log: Log;
  /** Receives the reason of a failed start, for the agent's author. */
  report?: Report;
  /** The agent's folder, the base of relative paths in a child's command. */
  folder: string;
  /** Our own version, as servers see it. */
  version: string;
  /** Stores this server's accepted definitions, of one user's connection or of the shared one. */
  accepted?(server: string, user?: User): AcceptedMemory;
  /** The tokens of a user, for a server with `auth: oauth`. */
  access?(user: User): ServerAccess;
  limits?: Partial<SupervisorLimits>;
  random?: () => number;
  connect?: typeof connectServer;
}

export interface McpSource extends ToolSource {
  status(): McpSourceStatus;
  /** A person accepts the definitions in `status().pending`. */
  accept(): Promise<void>;
}

const MAX_KNOWN_TOOLS = 1_000;

/**
 * An MCP server as a source of tools. It starts on first use. A server that is down does not affect others: its known
 * tools stay offered, and their calls fail at once with the time of the next try.
 */
export function createMcpSource(config: RemoteEntry, options: McpSourceOptions): McpSource {
  const pool = createPool(config, options);
  const made = new Map<string, Tool>();
  /** Users with their own connections share the tools whose definitions are equal. */
  const toToolOnce = (definition: Definition): Tool => {
    const tool = made.get(definition.fingerprint) ?? toTool(definition, config, pool);
    made.delete(definition.fingerprint);
    made.set(definition.fingerprint, tool);
    const [oldest] = made.keys();
    if (made.size > MAX_KNOWN_TOOLS && oldest !== undefined) made.delete(oldest);
    return tool;
  };
  return {
    name: config.name,
    async tools(user, options) {
      const definitions = await offer(pool, user, options);
      return definitions.filter((tool) => isAllowed(tool, config)).map(toToolOnce);
    },
    isStarting(user) {
      const server = pool.find(user);
      return server?.state().state === 'starting' && server.definitions.accepted === undefined;
    },
    findObstacle: (user) => pool.find(user)?.state().login?.message,
    status: () => describeSource(config, pool),
    async accept() {
      await Promise.all(pool.all().map((server) => server.definitions.accept()));
    },
    async close() {
      await Promise.all(pool.all().map((server) => server.disconnect()));
    },
  };
}

function createPool(config: RemoteEntry, options: McpSourceOptions): ServerPool {
  const { clock, log, report, version, connect = connectLazily, random = Math.random } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const shared = { name: config.name, clock, log, limits, random, ...(report && { report }) };
  if (!isPerUser(config)) {
    const target = describeTarget(config, options.folder);
    return createSharedPool(
      createSupervisedServer({
        ...shared,
        ...memoryOf(config, options),
        connect: (hooks) => connect(target, { clock, limits, version, ...hooks }),
      }),
    );
  }
  return createUserPool({
    ...shared,
    ...limits,
    create(user) {
      const access = options.access?.(user);
      return createSupervisedServer({
        ...shared,
        ...memoryOf(config, options, user),
        ...(access && { findObstacle: access.findObstacle }),
        idleMs: limits.idleMs,
        connect: async (hooks) => {
          const target = describeTarget(config, options.folder, user);
          const secured = access && target.transport === 'http' ? { ...target, access } : target;
          return connect(secured, { clock, limits, version, ...hooks });
        },
      });
    },
  });
}

/**
 * Acceptance belongs to the server that agent.yaml names: another command or URL is another server, whose first list is
 * accepted. Environment and headers hold secrets and do not count.
 */
function memoryOf(config: RemoteEntry, { accepted }: McpSourceOptions, user?: User): { accepted?: AcceptedMemory } {
  if (!accepted) return {};
  const target = config.transport === 'http' ? [config.url] : [config.command, ...config.args];
  const hash = createHash('sha256').update(JSON.stringify(target)).digest('hex').slice(0, 16);
  return { accepted: accepted(`${config.name} ${hash}`, user) };
}

/** The protocol is loaded with the first server that is needed. */
const connectLazily: typeof connectServer = async (target, options) => {
  const client = await import('../client/client.ts');
  return client.connectServer(target, options);
};

function isPerUser(config: RemoteEntry): boolean {
  const values = config.transport === 'stdio' ? config.env : config.headers;
  return config.connection === 'per_user' || isLogin(config) || usesUser(values);
}

/** A connection with a user's token is never shared, whatever the entry says. */
function isLogin(config: RemoteEntry): boolean {
  return config.transport === 'http' && config.auth === 'oauth';
}

function describeTarget(config: RemoteEntry, folder: string, user?: User): ServerTarget {
  const fill = (values: Record<string, string>) => (user ? fillUser(values, user) : values);
  if (config.transport === 'http') return { transport: 'http', url: config.url, headers: fill(config.headers) };
  const { command, args } = config;
  const env = fill(config.env);
  const child = { command, args, env: serverEnvironment(env), cwd: folder };
  return { transport: 'stdio', child, redact: createEnvironmentRedactor(env).text };
}

/** If every connection is in use, the user's earlier tools stay offered; their calls fail with the reason. */
async function offer(pool: ServerPool, user: User, { signal, waitMs }: ListOptions): Promise<readonly Definition[]> {
  try {
    return await pool.take(user).offer(signal, waitMs);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return pool.find(user)?.definitions.accepted ?? [];
  }
}

function isAllowed(tool: Definition, config: RemoteEntry): boolean {
  return !config.allow || config.allow.includes(tool.serverName);
}

function toTool(definition: Definition, config: RemoteEntry, pool: ServerPool): Tool {
  const { name, serverName, description, inputSchema } = definition;
  return {
    name: `${config.prefix ?? ''}${name}`,
    ...(config.prefix && { serverName }),
    description,
    inputSchema,
    readOnly: definition.readOnly,
    idempotent: definition.idempotent || config.idempotent.includes(serverName),
    needsApproval: config.approve.includes(serverName),
    source: config.name,
    bind: config.bind,
    run: (args, context) => run(pool, definition, args, context),
  };
}

async function run(
  pool: ServerPool,
  definition: Definition,
  args: JsonObject,
  context: ToolContext,
): Promise<ToolOutcome> {
  try {
    return await pool.take(context.user).call(definition, args, context);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { error: { error_type: error.errorType, message: error.message } };
  }
}

const USER_VALUE = /\$user\.([a-z_]+)/g;

/** Whether any value depends on the user. */
export function usesUser(values: Readonly<Record<string, string>>): boolean {
  return Object.values(values).some((value) => value.search(USER_VALUE) !== -1);
}

/** Replaces `$user.id`, `$user.name` and `$user.timezone` by the user's values; throws if a value is missing. */
export function fillUser(values: Readonly<Record<string, string>>, user: User): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, fillValue(value, user)]));
}

function fillValue(value: string, user: User): string {
  return value.replace(USER_VALUE, (placeholder, field: string) => {
    const filled = new Map(Object.entries({ id: user.id, name: user.name, timezone: user.timezone })).get(field);
    if (filled === undefined)
      throw new AppError('tool_unavailable', { detail: `needs ${placeholder}, which this user does not have` });
    return filled.replace(/[\u0000-\u001f\u007f]/g, '');
  });
}
