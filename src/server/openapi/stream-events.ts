import * as z from 'zod';
import { RestCallStatus } from '../../schema/conversation/chat.ts';
import { KnownName } from '../../schema/conversation/event.ts';
import { ToolCall } from '../../schema/conversation/tool-call.ts';
import { AnswerCheck, Citation, Question, TurnError, TurnResult } from '../../schema/conversation/turn.ts';
import { RoutingDecision } from '../../schema/domain.ts';
import { FileVerdict } from '../../schema/file.ts';
import { Json, JsonObject } from '../../schema/json.ts';

export const RestToolCall = z.object({ ...ToolCall.unwrap().shape, status: RestCallStatus });
const { cause: _cause, ...shown } = TurnResult.unwrap().shape;
export const ChatResponse = z.object({
  ...shown,
  message_id: z.string().optional(),
  session_id: z.string(),
  tool_calls: z.array(RestToolCall),
});

const call = { call_id: z.string() };
const speaker = z.string().optional().describe('Who speaks, in a team whose agents hand over to each other');
const REST_EVENTS = [
  event('stream_start', { session_id: z.string(), turn_id: z.string(), replaces: z.string().optional() }),
  event('routing', RoutingDecision.unwrap().shape),
  event('file', FileVerdict.unwrap().shape),
  event('file_progress', { filename: z.string(), text: z.string() }),
  event('reasoning_delta', { delta: z.string() }),
  event('message_delta', { delta: z.string(), agent: speaker }),
  event('message_reset', { content: z.string() }),
  event('tool_call_start', { ...call, name: z.string() }),
  event('tool_call_args', { ...call, arguments: JsonObject }),
  event('tool_call_progress', { ...call, text: z.string() }),
  event('approval_request', {
    ...call,
    name: z.string(),
    arguments: JsonObject,
    agent: z.string().optional().describe('The member of the team that asks'),
    names: z.array(KnownName).optional().describe('Names that earlier tool results gave for ids in the arguments'),
  }),
  event('question', { ...Question.unwrap().shape, name: z.string() }),
  event('delegation', {
    ...call,
    agent: z.string().describe('The member of the team that works for this call'),
    turn_id: z.string(),
    remote: z.literal(true).optional().describe('The member is on another server: turn_id is its task there'),
    open: z.array(z.string()).optional().describe('The member waits for answers to these calls'),
  }),
  event('tool_call_end', { ...call, ...RestToolCall.shape }),
  event('annotation', { checks: z.array(AnswerCheck), citations: z.array(Citation).optional() }),
  event('hand_over', { ...call, from: z.string(), to: z.string(), reason: z.string() }),
  event('notice', { text: z.string() }),
  event('stream_end', ChatResponse.shape),
  event('error', { ...ChatResponse.partial().shape, session_id: z.string(), error: TurnError }),
] as const;

/** The data of one event of a REST stream. */
export const RestEvent = z.discriminatedUnion('type', REST_EVENTS);
export type RestEventType = z.infer<typeof RestEvent>['type'];

const message = { messageId: z.string() };
const toolCall = { toolCallId: z.string() };
const aRun = { threadId: z.string(), runId: z.string() };
const usage = { usage: z.array(JsonObject).optional() };
/** The data of one event of an AG-UI stream, limited to the protocol events that are sent. */
export const AguiEvent = z.discriminatedUnion('type', [
  event('RUN_STARTED', {
    ...aRun,
    protocolVersion: z.string().optional(),
    input: JsonObject.optional().describe("The user's message, for a client that follows a conversation"),
  }),
  event('RUN_FINISHED', { ...aRun, ...usage, result: JsonObject, outcome: JsonObject.optional() }),
  event('RUN_ERROR', { ...usage, message: z.string(), code: z.string() }),
  event('STATE_SNAPSHOT', { snapshot: JsonObject }),
  event('STATE_DELTA', { delta: z.array(JsonObject) }),
  event('MESSAGES_SNAPSHOT', { messages: z.array(JsonObject) }),
  event('STEP_STARTED', { stepName: z.string() }),
  event('STEP_FINISHED', { stepName: z.string() }),
  event('TEXT_MESSAGE_START', { ...message, role: z.literal('assistant'), name: speaker }),
  event('TEXT_MESSAGE_CONTENT', { ...message, delta: z.string() }),
  event('TEXT_MESSAGE_END', message),
  event('REASONING_START', message),
  event('REASONING_MESSAGE_START', { ...message, role: z.literal('reasoning') }),
  event('REASONING_MESSAGE_CONTENT', { ...message, delta: z.string() }),
  event('REASONING_MESSAGE_END', message),
  event('REASONING_END', message),
  event('TOOL_CALL_START', { ...toolCall, toolCallName: z.string(), parentMessageId: z.string().optional() }),
  event('TOOL_CALL_ARGS', { ...toolCall, delta: z.string() }),
  event('TOOL_CALL_END', toolCall),
  event('TOOL_CALL_RESULT', { ...message, ...toolCall, content: z.string(), role: z.literal('tool') }),
  event('CUSTOM', { name: z.string(), value: Json }),
]);

function event<Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) {
  return z.object({ type: z.literal(type), ...shape });
}
