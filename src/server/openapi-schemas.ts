import * as z from 'zod';
import { ChatRequest } from '../schema/chat.ts';
import { Conversation, ConversationState } from '../schema/conversation.ts';
import { Domain } from '../schema/domain.ts';
import { HistoryMessage } from '../schema/history.ts';
import { JsonObject } from '../schema/json.ts';
import { Health, ProblemDetail } from '../schema/server.ts';
import { TurnResult, TurnStatus } from '../schema/turn.ts';
import { RunInput } from './agui-in.ts';
import { Answers } from './routes/sessions.ts';
import { AguiEvent, ChatResponse, RestEvent, RestToolCall } from './stream-events.ts';

const { id: _id, ...conversation } = Conversation.shape;
const Session = z.object({ session_id: z.string(), title: z.string(), state: ConversationState, ...conversation });
const Turn = z.object({ id: z.string(), status: TurnStatus });
const { messages: _messages, ...result } = TurnResult.shape;
const ListedTurn = Turn.extend({
  attempt: z.number().int().nonnegative().describe('0: messages from before the first run of a thread'),
  created_at: z.string(),
  active: z.boolean().describe('On the path that is shown and sent to the model'),
  parent: z.string().optional().describe('The turn before it'),
  replaces: z.string().optional().describe('The turn that answered the same message before'),
  result: z.object({ ...result, tool_calls: z.array(RestToolCall) }).optional(),
});
const SourceStatus = z.object({
  name: z.string(),
  state: z.enum(['idle', 'starting', 'ready', 'degraded', 'unavailable']),
  detail: z.string().optional(),
});
const ShownDomain = Domain.omit({ enabled: true, mcp_tools: true }).extend({
  available: z.boolean(),
  reason: z.string().optional(),
});
const Tool = z.object({
  name: z.string(),
  description: z.string(),
  source: z.string(),
  input_schema: JsonObject,
  needs_approval: z.boolean(),
});

/** The shapes of the API by name: what comes in is what a caller may write, what goes out is what it can rely on. */
export const INPUTS = { ChatRequest, Answers, RunAgentInput: RunInput };
const OUTPUTS = {
  ChatResponse,
  RestEvent,
  AguiEvent,
  StreamEvent: z.union([RestEvent, AguiEvent]),
  Accepted: z.object({
    session_id: z.string(),
    turn_id: z.string(),
    run_id: z.string().optional(),
    status: TurnStatus,
  }),
  Sessions: z.object({ sessions: z.array(Session), next_before: z.string().optional() }),
  SessionHistory: Session.extend({ turn: Turn.optional(), messages: z.array(HistoryMessage) }),
  Turns: z.object({ turns: z.array(ListedTurn), next_before: z.string().optional() }),
  Cancelled: z.object({ session_id: z.string(), cancelled: z.boolean(), turn: Turn.optional() }),
  Domains: z.object({ domains: z.array(ShownDomain), servers: z.array(SourceStatus) }),
  Tools: z.object({
    agent: z.string(),
    model: z.string(),
    tools: z.array(Tool),
    not_offered: z.array(z.object({ tool: z.string(), source: z.string(), reason: z.string() })),
    servers: z.array(SourceStatus),
  }),
  Capabilities: JsonObject,
  OpenApi: JsonObject,
  /** Under a foreign name only the status is told. */
  Health: Health.partial().required({ status: true }),
  Ready: z.object({ ready: z.boolean(), reason: z.string().optional() }),
  Problem: ProblemDetail,
};

export type InputName = keyof typeof INPUTS;
export type OutputName = keyof typeof OUTPUTS;

/** All shapes as JSON Schema, for the document's components. */
export function componentSchemas(): Record<string, unknown> {
  const inputs = Object.entries(INPUTS).map(([name, schema]) => [name, toSchema(schema, 'input')]);
  const outputs = Object.entries(OUTPUTS).map(([name, schema]) => [name, toSchema(schema, 'output')]);
  return Object.fromEntries([...inputs, ...outputs]);
}

export function toSchema(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _dialect, $defs: _definitions, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return openRecursion(rest) as Record<string, unknown>; // an object goes in, so one comes out
}

/** The only recursive shape is "any JSON value", which an empty schema says as well. */
function openRecursion(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(openRecursion);
  if (typeof value !== 'object' || value === null) return value;
  if ('$ref' in value) return {};
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, openRecursion(inner)]));
}
