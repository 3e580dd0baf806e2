import * as z from 'zod';
import { ChatRequest, RunRequest } from '../../schema/conversation/chat.ts';
import { Conversation, ConversationState } from '../../schema/conversation/conversation.ts';
import { HistoryMessage } from '../../schema/conversation/history.ts';
import { Trace } from '../../schema/conversation/trace.ts';
import { Feedback, TurnResult, TurnStatus } from '../../schema/conversation/turn.ts';
import { Domain } from '../../schema/domain.ts';
import { FileNote } from '../../schema/file.ts';
import { A2aRequest } from '../../schema/fronts/a2a.ts';
import { RunAgentInput } from '../../schema/fronts/agui.ts';
import { McpMessage } from '../../schema/fronts/mcp.ts';
import { ChatCompletionRequest, ResponsesRequest } from '../../schema/fronts/openai.ts';
import { UiRequest } from '../../schema/fronts/ui.ts';
import { JsonObject } from '../../schema/json.ts';
import { Answers, ForkRequest, SessionChanges } from '../../schema/requests.ts';
import { AgentInfo, Health, Me, ProblemDetail } from '../../schema/server.ts';
import { DueTasks, ReminderRequest, Task, TaskChange } from '../../schema/task.ts';
import { RunComparison, RunReport, RunSummary } from '../../schema/tests/run-report.ts';
import { KnowledgeSearch, PassageQuery } from '../routes/knowledge.ts';
import { AguiEvent, ChatResponse, RestEvent, RestToolCall } from './stream-events.ts';

/** Answers of the routes about documents. */

const Words = z.string();
const Count = z.number().int().nonnegative();

const place = {
  knowledge: Words.describe('The name under `knowledge` in agent.yaml'),
  document: Words.describe("The path of the file in the agent's folder"),
  title: Words,
};
const Building = z.object({ done: Count, total: Count }).describe('Present while documents are being read');

const PassageView = z.object({
  ...place,
  page: Count.optional(),
  breadcrumb: z.array(Words),
  version: Words.describe('A hash of the file'),
  start: Count,
  end: Count,
  text: Words,
});

const OpenedView = PassageView.extend({
  is_current: z
    .boolean()
    .describe('False: the file has changed since `version`, and this is the passage nearest to `quote`'),
});

const KnowledgeView = z.object({
  documents: z.array(
    z.object({
      ...place,
      state: z.enum(['read', 'partly', 'unread']),
      reason: Words.optional(),
      version: Words,
      passages: Count,
      read_at: Words,
    }),
  ),
  remarks: z.array(Words).describe('About whole sources: files left out, links that leave the folder'),
  building: Building.optional(),
});

const FoundView = z.object({
  is_found: z.boolean().describe('Whether a passage is good enough to answer from'),
  passages: z.array(PassageView.extend({ support: z.number(), is_above_floor: z.boolean() })),
  building: Building.optional(),
});

const { id: _id, ...conversation } = Conversation.unwrap().shape;
const Session = z.object({
  session_id: z.string(),
  ...conversation,
  title: z.string().describe("The user's own title, or the beginning of the first message"),
  pinned: z.boolean(),
  state: ConversationState,
  status: TurnStatus.nullable().describe('Of the newest turn'),
  preview: z.string().optional().describe('Text around the hit of a search'),
});
const SessionEvent = z.union([
  z.object({ type: z.enum(['created', 'updated']), session: Session }),
  z.object({ type: z.literal('deleted'), session: z.object({ session_id: z.string() }) }),
]);
const Turn = z.object({ id: z.string(), status: TurnStatus });
const { messages: _messages, cause: _cause, ...result } = TurnResult.unwrap().shape;
const ListedTurn = Turn.extend({
  attempt: z.number().int().nonnegative().describe('0: messages that were given when the thread was created'),
  created_at: z.string(),
  started_at: z.string(),
  ended_at: z.string().optional(),
  run_id: z.string().optional().describe('Of a turn that was begun by AG-UI'),
  user_message: z
    .object({
      id: z.string(),
      client_id: z.string().optional(),
      content: z.string(),
      files: z.array(FileNote).optional(),
    })
    .optional(),
  partial: z.string().optional().describe('The kept text of an interrupted turn'),
  calls: z.array(RestToolCall).optional().describe('The calls so far of a turn without a result'),
  feedback: Feedback.optional(),
  cause: z.string().optional().describe('Why the model failed, by its provider; for developers only'),
  active: z.boolean().describe('Whether the turn is on the active path, which is shown and sent to the model'),
  parent: z.string().optional().describe('The previous turn on the path'),
  replaces: z.string().optional().describe('The earlier turn for the same message that this turn replaces'),
  result: z.object({ ...result, tool_calls: z.array(RestToolCall), message_id: z.string().optional() }).optional(),
});
const SourceStatus = z.object({
  name: z.string(),
  state: z.enum(['idle', 'starting', 'ready', 'degraded', 'unavailable']),
  detail: z.string().optional(),
});
const ShownDomain = Domain.unwrap().omit({ enabled: true, mcp_tools: true }).extend({
  available: z.boolean(),
  reason: z.string().optional(),
});
const ShownTask = Task.unwrap().omit({ user_id: true });
const Tool = z.object({
  name: z.string(),
  description: z.string(),
  source: z.string(),
  input_schema: JsonObject,
  needs_approval: z.boolean(),
});

const Model = z.object({ id: z.string(), object: z.literal('model'), created: z.number(), owned_by: z.string() });
/** The rest is as OpenAI documents it. */
const OpenaiObject = z.looseObject({ id: z.string(), object: z.string(), model: z.string() });

/** The API's schemas by name: inputs as callers may write them, outputs as callers can rely on them. */
export const INPUTS = {
  ChatRequest,
  RunRequest,
  Answers,
  RunAgentInput,
  Feedback,
  ForkRequest,
  SessionChanges,
  TaskChange,
  ReminderRequest,
  KnowledgeSearch,
  ChatCompletionRequest,
  ResponsesRequest,
  McpMessage,
  A2aRequest,
  UiRequest,
};
/** The body of a 202. */
export const Accepted = z.object({
  session_id: z.string(),
  turn_id: z.string(),
  run_id: z.string().optional(),
  status: TurnStatus,
});
const OUTPUTS = {
  ChatResponse,
  RestEvent,
  AguiEvent,
  StreamEvent: z.union([RestEvent, AguiEvent]),
  Session,
  SessionEvent,
  Sessions: z.object({ sessions: z.array(Session), next_before: z.string().optional() }),
  SessionHistory: Session.extend({ turn: Turn.optional(), messages: z.array(HistoryMessage) }),
  Turns: z.object({ turns: z.array(ListedTurn), next_before: z.string().optional() }),
  Feedback,
  Trace,
  Tasks: z.object({ tasks: z.array(ShownTask) }),
  DueTasks: DueTasks.unwrap().extend({ tasks: z.array(ShownTask) }),
  ChangedTask: z.union([ShownTask, z.object({ id: z.string(), deleted: z.literal(true) })]),
  Cancelled: z.object({ session_id: z.string(), cancelled: z.boolean(), turn: Turn.optional() }),
  Domains: z.object({ domains: z.array(ShownDomain), servers: z.array(SourceStatus) }),
  Tools: z.object({
    agent: z.string(),
    model: z.string(),
    tools: z.array(Tool),
    not_offered: z.array(z.object({ tool: z.string(), source: z.string(), reason: z.string() })),
    servers: z.array(SourceStatus),
  }),
  Logins: z.object({ logins: z.array(z.object({ server: z.string(), logged_in: z.boolean() })) }),
  BegunLogin: z.object({ url: z.string().describe('The address that the person opens') }),
  EndedLogin: z.object({
    ended: z.enum(['none', 'revoked', 'removed']).describe('`removed`: here only; the login server did not confirm it'),
  }),
  Knowledge: KnowledgeView,
  Passage: OpenedView,
  FoundPassages: FoundView,
  Runs: z.object({ runs: z.array(RunSummary), next_before: z.string().optional() }),
  Run: RunReport,
  RunDifferences: RunComparison,
  Agents: z.object({ agents: z.array(AgentInfo) }),
  Me,
  Capabilities: JsonObject,
  McpAnswer: JsonObject,
  A2aAnswer: JsonObject,
  AgentCard: JsonObject,
  ResourceMetadata: z.object({
    resource: z.string(),
    authorization_servers: z.array(z.string()).optional(),
    bearer_methods_supported: z.array(z.string()),
    resource_name: z.string(),
  }),
  OpenApi: JsonObject,
  /** Under an unknown host name only the status is sent. */
  Health: Health.partial().required({ status: true }),
  Ready: z.object({ ready: z.boolean(), reason: z.string().optional() }),
  Problem: ProblemDetail,
  Model,
  Models: z.object({ object: z.literal('list'), data: z.array(Model) }),
  ChatCompletion: OpenaiObject,
  OpenaiResponse: OpenaiObject,
  OpenaiError: z.object({
    error: z.object({ message: z.string(), type: z.string(), param: z.string().nullable(), code: z.string() }),
  }),
};

export const QUERIES = { PassageQuery };

export type QueryName = keyof typeof QUERIES;
export type InputName = keyof typeof INPUTS;
export type OutputName = keyof typeof OUTPUTS;

/** All schemas as JSON Schema, for the document's components. */
export function componentSchemas(): Record<string, unknown> {
  const inputs = Object.entries(INPUTS).map(([name, schema]) => [name, toSchema(schema, 'input')]);
  const outputs = Object.entries(OUTPUTS).map(([name, schema]) => [name, toSchema(schema, 'output')]);
  return Object.fromEntries([...inputs, ...outputs]);
}

export function toSchema(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _dialect, $defs: _definitions, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return openRecursion(rest) as Record<string, unknown>; // an object in gives an object out
}

/** The only recursive schema is "any JSON value", which is equal to an empty schema. */
function openRecursion(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(openRecursion);
  if (typeof value !== 'object' || value === null) return value;
  if ('$ref' in value) return {};
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, openRecursion(inner)]));
}
