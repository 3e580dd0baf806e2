import type { Readable, Writable } from 'node:stream';
import type { Server, ServerContext, Tool as WireTool } from '@modelcontextprotocol/server';
import * as z from 'zod';
import packageJson from '../../../package.json' with { type: 'json' };
import { AppError, toAppError } from '../../errors.ts';
import type { Agent } from '../../schema/agent.ts';
import { isObject, parseJson } from '../../schema/json.ts';
import { Key, parseRequest } from '../http/parse.ts';
import { AskArguments, AskResult, ask } from './ask.ts';
import {
  type CallOutcome,
  createProgress,
  type FaceOptions,
  type McpCall,
  optionsIn,
  type Progress,
  type Sdk,
  toFailure,
} from './mcp-call.ts';
import { callOwnTool, listOwnTools } from './own-tools.ts';
import { addResources } from './resources.ts';

/** The agents as an MCP server for one user; created per connection, or per request over HTTP. */
export function createAgentServer(options: FaceOptions, sdk: Sdk): Server {
  const server = new sdk.Server(
    { name: 'holodeck', title: 'HoloDeck', version: packageJson.version },
    { capabilities: { tools: {}, resources: {} } },
  );
  const { runtime } = options;
  server.setRequestHandler('tools/list', async (_request, { mcpReq }) => {
    const own = await listOwnTools(options, mcpReq.signal);
    return { tools: [...runtime.agents.map(toAskTool), ...own.map(({ wire }) => wire)] };
  });
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { name, arguments: args = {} } = params;
    const progress = createProgress(context.mcpReq);
    try {
      return await callTool(toCall(options, { server, sdk, context, progress }), name, args);
    } catch (error) {
      if (error instanceof sdk.ProtocolError || context.mcpReq.signal.aborted) throw error;
      if (!(error instanceof AppError)) options.onError?.(error);
      return toFailure(toAppError(error));
    } finally {
      await progress.sent();
    }
  });
  addResources(server, options, sdk);
  return server;
}

async function callTool(call: McpCall, name: string, args: unknown): Promise<CallOutcome> {
  const agent = call.runtime.agents.find((each) => askToolName(each) === name);
  if (agent) return ask(call, agent, args);
  const own = (await listOwnTools(call, call.signal)).find(({ wire }) => wire.name === name);
  if (own) return callOwnTool(call, own, args);
  const { ProtocolError, ProtocolErrorCode } = call.sdk;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${name.slice(0, 100)}.`);
}

function askToolName({ name }: Agent): string {
  return `ask_${name}`;
}

function toAskTool(agent: Agent): WireTool {
  const about = agent.description ?? `The agent ${agent.name}.`;
  return {
    name: askToolName(agent),
    title: `Ask ${agent.name}`,
    description: `${about} Answers a message. Send session_id of the last answer to continue the conversation.`,
    inputSchema: toWireSchema(AskArguments),
    outputSchema: toWireSchema(AskResult),
    annotations: { readOnlyHint: false },
  };
}

function toWireSchema(schema: z.ZodObject): WireTool['inputSchema'] {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return { ...rest, type: 'object' } as WireTool['inputSchema']; // JSON Schema of an object
}

interface Received {
  server: Server;
  sdk: Sdk;
  context: ServerContext;
  progress: Progress;
}

/** A session lasts longer than its requests, which have options of their own. */
function toCall(options: FaceOptions, { server, sdk, context: { mcpReq, http }, progress }: Received): McpCall {
  return {
    ...options,
    ...optionsIn(http?.authInfo),
    sdk,
    signal: mcpReq.signal,
    progress,
    canAsk: canAsk(capabilitiesOf(sdk, mcpReq) ?? server.getClientCapabilities()),
    responses: mcpReq.inputResponses,
    state: readState(mcpReq.requestState<string>()),
    ...readKeyOf(mcpReq),
  };
}

const KEY_NAME = 'holodeck/idempotency-key';

function readKeyOf({ _meta }: ServerContext['mcpReq']): { key?: string } {
  const sent = _meta?.[KEY_NAME];
  return sent === undefined ? {} : { key: parseRequest(Key, sent, ['_meta', KEY_NAME]) };
}

/** Newer revisions declare capabilities with each request, older ones once per connection. */
function capabilitiesOf({ CLIENT_CAPABILITIES_META_KEY }: Sdk, { envelope }: ServerContext['mcpReq']): unknown {
  const declared: Record<string, unknown> = { ...envelope };
  return declared[CLIENT_CAPABILITIES_META_KEY];
}

/** Clients of older revisions declare forms by an empty object. */
function canAsk(capabilities: unknown): boolean {
  const elicitation = isObject(capabilities) ? capabilities.elicitation : undefined;
  return isObject(elicitation) && (elicitation.form !== undefined || elicitation.url === undefined);
}

/** Damaged state is refused where it is checked. */
function readState(text: string | undefined): unknown {
  return text === undefined ? undefined : (parseJson(text) ?? null);
}

/**
 * Serves agents to the process that started us, until it leaves. Standard output belongs to the protocol: nothing else
 * may write to it.
 */
export async function serveAgent(
  options: Omit<FaceOptions, 'takeTurn'>,
  { input = process.stdin, output = process.stdout }: { input?: Readable; output?: Writable } = {},
): Promise<void> {
  const [sdk, stdio] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('@modelcontextprotocol/server/stdio'),
  ]);
  const closed = Promise.withResolvers<void>();
  input.once('end', closed.resolve).once('close', closed.resolve);
  const transport = new stdio.StdioServerTransport(input, output);
  // This process is started by a person for themselves, so there is no rate to limit.
  const handle = stdio.serveStdio(() => createAgentServer({ ...options, takeTurn: () => {} }, sdk), { transport });
  await closed.promise;
  await handle.close();
}
