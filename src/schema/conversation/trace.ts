import * as z from 'zod';
import { FileVerdict } from '../file.ts';
import { JsonObject } from '../json.ts';
import { Timestamp } from '../scalars.ts';
import { TokenUsage } from './token-usage.ts';
import { ToolCallRequest, ToolCallState, ToolError } from './tool-call.ts';
import { TurnStatus } from './turn.ts';

const Milliseconds = z.number().nonnegative();

/** A message as the model reads it. */
export const PromptMessage = z.object({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.string(),
  tool_calls: z.array(ToolCallRequest).optional(),
  tool_call_id: z.string().optional(),
});
export type PromptMessage = z.infer<typeof PromptMessage>;

/** A model call. */
const TraceStep = z.object({
  iteration: z.number().int(),
  started_at: Timestamp,
  ended_at: Timestamp.optional().describe('Absent for a reply that was cut off'),
  summary: z.boolean().optional().describe('The last reply of a turn at its limit, without tools'),
  model: z.string().optional(),
  tokens_used: TokenUsage.optional(),
  error: z.string().optional(),
  prompt: z.array(PromptMessage).optional().describe('For developers only; rebuilt with the agent as it is now'),
  tools: z.array(z.string()).optional().describe('For developers only'),
  prompt_cut: z.boolean().optional().describe('The prompt is longer than is shown'),
});
export type TraceStep = z.infer<typeof TraceStep>;

const TraceCall = z.object({
  call_id: z.string(),
  name: z.string(),
  domain: z.string().optional(),
  step: z.number().int().describe('The iteration of the reply that asked for it'),
  state: ToolCallState,
  started_at: Timestamp.optional(),
  ended_at: Timestamp.optional(),
  duration_ms: Milliseconds.optional(),
  sent_arguments: JsonObject.optional(),
  error: ToolError.optional(),
  repeats: z.string().optional(),
});
export type TraceCall = z.infer<typeof TraceCall>;

const TraceWait = z.object({
  reason: z.enum(['waiting', 'interrupted']),
  started_at: Timestamp,
  ended_at: Timestamp.optional(),
});
export type TraceWait = z.infer<typeof TraceWait>;

const TurnTrace = z.object({
  turn_id: z.string(),
  status: TurnStatus,
  started_at: Timestamp,
  ended_at: Timestamp.optional(),
  attempts: z.number().int().nonnegative(),
  steps: z.array(TraceStep),
  calls: z.array(TraceCall),
  files: z.array(z.object({ ...FileVerdict.unwrap().shape, at: Timestamp })),
  waits: z.array(TraceWait),
  total_ms: Milliseconds,
  active_ms: Milliseconds,
});
export type TurnTrace = z.infer<typeof TurnTrace>;

const TraceMember = z.object({
  call_id: z.string().describe('The call that this turn works for, of the turn itself or of another member'),
  agent: z.string(),
  ...TurnTrace.shape,
});
export type TraceMember = z.infer<typeof TraceMember>;

/** Steps, calls and times of one turn, and of the turns of members below it: active_ms and the ended waits add up to total_ms. */
export const Trace = TurnTrace.extend({ members: z.array(TraceMember).optional() });
export type Trace = z.infer<typeof Trace>;
