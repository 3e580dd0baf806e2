import type { Tool as WireTool } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Agent } from '../../schema/agent.ts';
import type { ToolCall } from '../../schema/conversation/tool-call.ts';
import { isObject } from '../../schema/json.ts';
import { parseRequest } from '../http/parse.ts';
import { type CallOutcome, type FaceOptions, failedResult, type McpCall } from './mcp-call.ts';
import { isAllowed, notAllowed, toElicitation } from './questions.ts';

/** A tool of an agent, under the name that clients see. */
interface OwnTool {
  agent: string;
  tool: string;
  wire: WireTool;
}

/** The agents' own tools, for agents that offer them. The values of bound arguments are ours and not shown. */
export async function listOwnTools({ runtime, user }: FaceOptions, signal: AbortSignal): Promise<OwnTool[]> {
  const offering = runtime.agents.filter(({ server }) => server.mcp_tools);
  const lists = await Promise.all(
    offering.map(async ({ name: agent }) => {
      const { offered } = await runtime.listTools(user, agent, { signal });
      return [...offered].map(
        ([
          tool,
          {
            definition,
            tool: { readOnly, idempotent },
          },
        ]) => ({
          agent,
          tool,
          wire: {
            name: ownToolName(agent, tool),
            description: definition.description,
            inputSchema: { ...definition.inputSchema, type: 'object' as const },
            annotations: {
              ...(readOnly !== undefined && { readOnlyHint: readOnly }),
              ...(idempotent !== undefined && { idempotentHint: idempotent }),
            },
          },
        }),
      );
    }),
  );
  return lists.flat();
}

function ownToolName(agent: Agent['name'], tool: string): string {
  return `${agent}_${tool}`;
}

const ProposalState = z.strictObject({ proposal: z.string().max(64) });
const QUESTION = 'approval';

/** Calls a tool. One that needs an approval becomes a question first, or is denied if the client cannot ask. */
export async function callOwnTool(call: McpCall, { agent, tool }: OwnTool, args: unknown): Promise<CallOutcome> {
  const { sdk, runtime, user, signal, progress } = call;
  const input = {
    agent,
    tool,
    arguments: isObject(args) ? args : {},
    signal,
    progress: (text: string) => progress.text(text),
  };
  call.takeTurn(user);
  const decision = readDecision(call);
  const called = await runtime.callTool(user, { ...input, ...(decision && { decision }) });
  if ('call' in called) return toResult(called.call);
  if (call.canAsk) {
    const wait = { kind: 'approval' as const, sent_arguments: called.sentArguments, definition: called.proposal };
    const inputRequests = { [QUESTION]: toElicitation(sdk, { tool, wait }) };
    return sdk.inputRequired({ inputRequests, requestState: JSON.stringify({ proposal: called.proposal }) });
  }
  await runtime.callTool(user, { ...input, decision: { proposal: called.proposal, approved: false } });
  return failedResult({ message: notAllowed(call, tool) });
}

function readDecision({ sdk, state, responses }: McpCall): { proposal: string; approved: boolean } | undefined {
  if (state === undefined) return undefined;
  const { proposal } = parseRequest(ProposalState, state, ['requestState']);
  const view = sdk.inputResponse(responses, QUESTION);
  if (view.kind !== 'elicit') return undefined;
  return { proposal, approved: view.action === 'accept' && isAllowed(view.content) };
}

function toResult({ result, error }: ToolCall): CallOutcome {
  if (error) return failedResult({ ...error });
  const text = typeof result === 'string' ? result : JSON.stringify(result ?? null);
  return { content: [{ type: 'text', text }], ...(isObject(result) && { structuredContent: result }) };
}
