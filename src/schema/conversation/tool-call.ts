import * as z from 'zod';
import { Json, JsonObject, lazyStrict } from '../json.ts';
import { Timestamp } from '../scalars.ts';
import { TokenUsage } from './token-usage.ts';

export const ErrorType = z.enum([
  'ValidationError',
  'IntentClassificationError',
  'ToolInvocationError',
  'TaskNotFound',
  'UnauthorizedError',
  'DatabaseError',
  'PermissionDenied',
  'ModelError',
  'Timeout',
]);
export type ErrorType = z.infer<typeof ErrorType>;

/** The reason why a tool call has no result, readable by people. */
export const ToolError = lazyStrict(() => ({
  error_type: ErrorType,
  message: z.string().min(1),
  details: Json.optional(),
}));
export type ToolError = z.infer<typeof ToolError>;

export const ToolCallState = z.enum(['pending', 'waiting', 'running', 'completed', 'failed', 'timeout', 'unknown']);
export type ToolCallState = z.infer<typeof ToolCallState>;

const Words = z.string();
const Name = Words.min(1);

/** The model's request. Assistant messages hold these; they never change. */
export const ToolCallRequest = lazyStrict(() => ({ id: Name, name: Name, arguments: JsonObject }));
export type ToolCallRequest = z.infer<typeof ToolCallRequest>;

/** A member's turn: how it ended, and what it and the turns below it used. */
export const Delegation = lazyStrict(() => ({
  agent: Words,
  turn_id: Words,
  /** The member is on another server: `turn_id` is the id of its task there. */
  remote: z.literal(true).optional(),
  status: Words,
  tokens_used: TokenUsage.optional(),
  /** Delegations of the member itself, and of those below it. */
  delegations: z.number().int().positive().optional(),
}));
export type Delegation = z.infer<typeof Delegation>;

const ToolCallShape = lazyStrict(() => ({
  ...ToolCallRequest.unwrap().shape,
  domain: Words.optional(),
  /** The arguments that were sent: the model's, with the bound values filled in. */
  sent_arguments: JsonObject.optional(),
  state: ToolCallState,
  /** The tool declares that it changes nothing. */
  read_only: z.boolean().optional(),
  /** The call that this outcome comes from. It ran in a turn that this one replaced and was not run again. */
  repeats: Words.optional(),
  /** The turn of the member that this call delegated to. */
  delegation: Delegation.optional(),
  /** The agent that has the conversation after this call. */
  handed_over_to: Words.optional(),
  /** The runtime began it: a member reads the answer before it is sent. */
  reads_answer: z.boolean().optional(),
  result: Json.optional(),
  error: ToolError.optional(),
  started_at: Timestamp.optional(),
  completed_at: Timestamp.optional(),
  duration_ms: z.number().nonnegative().optional(),
}));

/** A tool call with its state. */
export const ToolCall = z.lazy(() =>
  ToolCallShape.unwrap().superRefine((call, context) => {
    const say = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (call.result !== undefined && call.error) say('error', 'result and error exclude each other');
    if (['failed', 'timeout', 'unknown'].includes(call.state) && !call.error) say('error', `needed when ${call.state}`);
    if (call.state === 'completed' && call.result === undefined) say('result', 'needed when completed');
    if (!isEnded(call.state) && (call.result !== undefined || call.error))
      say('state', `${call.state} has no outcome yet`);
    if (call.started_at && call.completed_at && call.duration_ms !== undefined) {
      const expected = Date.parse(call.started_at) + Math.round(call.duration_ms);
      if (Date.parse(call.completed_at) !== expected) say('completed_at', 'must be started_at + duration_ms');
    }
  }),
);
export type ToolCall = z.infer<typeof ToolCall>;

const ENDED: readonly ToolCallState[] = ['completed', 'failed', 'timeout', 'unknown'];

export function isEnded(state: ToolCallState): boolean {
  return ENDED.includes(state);
}
