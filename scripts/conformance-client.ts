import { systemClock } from '../src/clock.ts';
import { userFromId } from '../src/identity/user.ts';
import { HttpEntry } from '../src/kinds/http.ts';
import type { OAuthServer } from '../src/mcp/oauth/grant.ts';
import { createLogins } from '../src/mcp/oauth/logins.ts';
import { createMcpSource } from '../src/mcp/supervise/supervisor.ts';
import type { Json, JsonObject } from '../src/schema/json.ts';
import type { Tool, ToolContext } from '../src/tools/tool.ts';
import { createSecretMemory } from '../test/fakes/secret-memory.ts';

/** The client that the conformance suite runs: our tool source, which calls every tool of the suite's server. */
const user = userFromId('00000000-0000-4000-8000-000000000001');
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? '';
const url = String(process.argv.at(-1));
/** More logins would mean that the server can never be satisfied. */
const MAX_LOGINS = 3;
const CALLBACK = 'http://127.0.0.1:8000/oauth/callback';

const isLogin = scenario.startsWith('auth/');
const config = HttpEntry.parse({
  name: 'suite',
  type: 'mcp',
  transport: 'http',
  url,
  ...(isLogin && { auth: 'oauth' }),
});
const server: OAuthServer = {
  agent: 'conformance',
  name: 'suite',
  url,
  allowedHosts: [],
  // The address that the suite's own servers expect as a client id.
  clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
  ...(context.client_id && { clientId: context.client_id, clientSecret: context.client_secret }),
};
const bytes = Buffer.alloc(32, 1);
const memory = createSecretMemory();
const logins = createLogins({ memory, keys: { current: { id: 'test', bytes } }, clock: systemClock, version: '0.1.0' });
const log = { warn: (fields: object, text: string) => console.error(text, fields) };
const source = createMcpSource(config, {
  clock: systemClock,
  log,
  folder: process.cwd(),
  version: '0.1.0',
  ...(isLogin && { access: (owner) => logins.access(server, owner) }),
});

let loginsLeft = isLogin ? MAX_LOGINS : 0;
let tools = await list();
while (source.findObstacle?.(user) !== undefined && loginsLeft > 0) {
  await logIn();
  tools = await list();
}
for (const { name, arguments: args } of planCalls(tools)) {
  let outcome = await run(name, args);
  while (outcome && 'error' in outcome && outcome.error.message.includes('needs a login') && loginsLeft > 0) {
    await logIn();
    outcome = await run(name, args);
  }
  console.log(name, JSON.stringify(outcome));
}
await source.close();

function list(): Promise<Tool[]> {
  return source.tools(user, { signal: AbortSignal.timeout(30_000), waitMs: 30_000 });
}

async function run(name: string, args: JsonObject) {
  return tools.find((tool) => tool.name === name)?.run(args, buildContext(name));
}

/** A person with a browser: opens the address, is sent back at once, and the callback takes the answer. */
async function logIn(): Promise<void> {
  loginsLeft--;
  const signal = AbortSignal.timeout(30_000);
  const { url: address } = await logins.begin(server, { user, redirectUri: CALLBACK, signal });
  const answer = await fetch(address, { redirect: 'manual' });
  const params = new URL(String(answer.headers.get('location'))).searchParams;
  const pending = await logins.take(params.get('state') ?? '');
  if (!pending) throw new Error('the state is not ours');
  await logins.finish(server, { user, pending, params });
}

interface PlannedCall {
  name: string;
  arguments: JsonObject;
}

/** The calls that the scenario names, or a call of each tool. */
function planCalls(offered: readonly Tool[]): PlannedCall[] {
  const { toolCalls } = context;
  if (Array.isArray(toolCalls)) return toolCalls;
  return offered.map((tool) => ({ name: tool.name, arguments: chooseArguments(tool, offered) }));
}
/** A scenario expects the schema of its other tool, as we received it. */
function chooseArguments(tool: Tool, offered: readonly Tool[]): JsonObject {
  const focal = offered.find((other) => other.name === 'json_schema_2020_12_tool');
  if (tool.name === 'json_schema_echo' && focal) return { schema: focal.inputSchema };
  // The cast is safe: an input schema describes an object.
  return exampleOf(tool.inputSchema) as JsonObject;
}

function buildContext(callId: string): ToolContext {
  return {
    user,
    conversationId: 'suite',
    callId,
    signal: AbortSignal.timeout(60_000),
    progress() {},
    ask: async ({ schema }) => exampleOf(schema ?? {}, true),
  };
}

/** A value that fits a simple schema. With `leaveDefaults`, properties with a default are left out. */
function exampleOf(schema: JsonObject, leaveDefaults = false): Json {
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries((schema.properties ?? {}) as Record<string, JsonObject>)
          .filter(([, property]) => !leaveDefaults || property.default === undefined)
          .map(([name, property]) => [name, exampleOf(property, leaveDefaults)]),
      );
    case 'number':
    case 'integer':
      return 5;
    case 'boolean':
      return true;
    case 'array':
      return [];
    default:
      return 'test';
  }
}
