import type { CallToolResult, Server, ServerContext, Tool as WireTool } from '@modelcontextprotocol/server';
import { AppError } from '../../errors.ts';
import { systemIds } from '../../ids.ts';
import type { ToolError } from '../../schema/conversation/tool-call.ts';
import { ERROR_META } from '../../schema/fronts/mcp.ts';
import { isObject, type JsonObject } from '../../schema/json.ts';
import type { User } from '../../schema/user.ts';
import type { Tool, ToolContext, ToolOutcome } from '../../tools/tool.ts';
import { createValidator, type Validator } from '../../tools/validate.ts';
import { CALL_ID_META, CONVERSATION_ID_META, TURN_ID_META } from '../client/client.ts';

export interface ServeOptions {
  name: string;
  version: string;
  tools: readonly Tool[];
  /** The user of every call; a server of this kind has one user. */
  user: User;
  /** Receives the error that a tool threw; the caller only learns that it failed. */
  onError?(error: unknown): void;
}

type Sdk = typeof import('@modelcontextprotocol/server');
type Era = 'modern' | 'legacy';
const MAX_ID_CHARS = 200;

/** Our tools as an MCP server; created per connection, or per request over HTTP. */
export function createToolServer(options: ServeOptions, sdk: Sdk, era: Era): Server {
  const { name, version } = options;
  const server = new sdk.Server({ name, version }, { capabilities: { tools: {} } });
  const validator = createValidator();
  server.setRequestHandler('tools/list', () => ({ tools: options.tools.map(toWire) }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const tool = options.tools.find((candidate) => candidate.name === params.name);
    if (!tool) throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, `There is no tool ${params.name}.`);
    const args = (params.arguments ?? {}) as JsonObject; // It came over the wire, so it is JSON.
    const problem = findProblem(validator, tool, args);
    const outcome = problem ? { error: problem } : await run(tool, args, buildContext(options, context), options);
    return toResult(outcome, tool, era);
  });
  return server;
}

function toWire({ name, description, inputSchema, outputSchema, readOnly, idempotent }: Tool): WireTool {
  return {
    name,
    description,
    inputSchema: { ...inputSchema, type: 'object' },
    ...(outputSchema && { outputSchema }),
    annotations: {
      ...(readOnly !== undefined && { readOnlyHint: readOnly }),
      ...(idempotent !== undefined && { idempotentHint: idempotent }),
    },
  };
}

function findProblem(validator: Validator, tool: Tool, args: JsonObject): ToolError | undefined {
  const problems = validator.check(tool.inputSchema, args);
  if (problems.length === 0) return undefined;
  const message = problems.map((problem) => `${problem.path} ${problem.message}`.trim()).join('; ');
  return { error_type: 'ValidationError', message, details: problems.map(({ path, message }) => ({ path, message })) };
}

function buildContext(options: ServeOptions, context: ServerContext): ToolContext {
  const { signal, notify, _meta } = context.mcpReq;
  const idAt = (key: string): string | undefined => {
    const id = _meta?.[key];
    return typeof id === 'string' && id !== '' && id.length <= MAX_ID_CHARS ? id : undefined;
  };
  const turnId = idAt(TURN_ID_META);
  const progressToken = _meta?.progressToken;
  let progress = 0;
  return {
    user: options.user,
    conversationId: idAt(CONVERSATION_ID_META) ?? context.sessionId ?? '',
    ...(turnId && { turnId }),
    callId: idAt(CALL_ID_META) ?? systemIds.uuid(),
    signal,
    progress(message) {
      if (progressToken === undefined) return;
      progress++;
      void notify({ method: 'notifications/progress', params: { progressToken, progress, message } }).catch(() => {});
    },
    ask: () => Promise.reject(new Error('This server cannot ask the user.')),
  };
}

async function run(tool: Tool, args: JsonObject, context: ToolContext, options: ServeOptions): Promise<ToolOutcome> {
  try {
    return await tool.run(args, context);
  } catch (error) {
    options.onError?.(error);
    if (error instanceof AppError) return { error: { error_type: error.errorType, message: error.message } };
    return { error: { error_type: 'ToolInvocationError', message: `${tool.name} failed unexpectedly.` } };
  }
}

/** Structured content may be any JSON in the newer protocol; in the older one it must be an object. */
function toResult(outcome: ToolOutcome, { outputSchema }: Tool, era: Era): CallToolResult {
  if ('error' in outcome) {
    const { error } = outcome;
    return { isError: true, content: [{ type: 'text', text: error.message }], _meta: { [ERROR_META]: error } };
  }
  const { result } = outcome;
  const text = typeof result === 'string' ? result : JSON.stringify(result);
  const content: CallToolResult['content'] = [{ type: 'text', text }];
  if (typeof result === 'string' || (era === 'legacy' && !isObject(result) && !outputSchema)) return { content };
  // The SDK shows older clients a non-object schema as an object with the key `result`.
  const isWrapped = era === 'legacy' && outputSchema !== undefined && outputSchema.type !== 'object';
  return { content, structuredContent: isWrapped ? { result } : result };
}
