import { systemClock } from '../src/clock.ts';
import { userFromId } from '../src/identity/user.ts';
import { createMcpSource } from '../src/mcp/supervise/supervisor.ts';
import { McpTool } from '../src/schema/agent.ts';
import type { Json, JsonObject } from '../src/schema/json.ts';
import type { Tool, ToolContext } from '../src/tools/tool.ts';

/** The client that the conformance suite runs: our tool source, which calls every tool of the suite's server. */
const user = userFromId('00000000-0000-4000-8000-000000000001');
const config = McpTool.parse({ name: 'suite', type: 'mcp', transport: 'http', url: process.argv.at(-1) });
if (config.transport === 'builtin') throw new Error('the suite serves over HTTP');
const log = { warn: (fields: object, text: string) => console.error(text, fields) };
const source = createMcpSource(config, { clock: systemClock, log, folder: process.cwd(), version: '0.1.0' });

const tools = await source.tools(user, { signal: AbortSignal.timeout(30_000) });
for (const { name, arguments: args } of planCalls(tools)) {
  const outcome = await tools.find((tool) => tool.name === name)?.run(args, buildContext(name));
  console.log(name, JSON.stringify(outcome));
}
await source.close();

interface PlannedCall {
  name: string;
  arguments: JsonObject;
}

/** The calls that the scenario names, or a call of each tool. */
function planCalls(offered: readonly Tool[]): PlannedCall[] {
  const { toolCalls } = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
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
