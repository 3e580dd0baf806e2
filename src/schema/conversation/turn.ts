import * as z from 'zod';
import { RoutingDecision } from '../domain.ts';
import { FileVerdict } from '../file.ts';
import { Intent } from '../intent.ts';
import { JsonObject } from '../json.ts';
import { Message } from './message.ts';
import { TokenUsage } from './token-usage.ts';
import { ErrorType, ToolCall } from './tool-call.ts';

/** `interrupted`: the turn's process died; the turn can be continued. */
export const TurnStatus = z.enum([
  'running',
  'waiting',
  'completed',
  'max_iterations_reached',
  'cancelled',
  'error',
  'interrupted',
]);
export type TurnStatus = z.infer<typeof TurnStatus>;

const NEXT: Record<TurnStatus, readonly TurnStatus[]> = {
  running: ['waiting', 'completed', 'max_iterations_reached', 'cancelled', 'error', 'interrupted'],
  waiting: ['running', 'cancelled'],
  interrupted: ['running', 'cancelled'],
  completed: [],
  max_iterations_reached: [],
  cancelled: [],
  error: [],
};

export function canTurnBecome(from: TurnStatus, to: TurnStatus): boolean {
  return NEXT[from].includes(to);
}

export function isTurnEnded(status: TurnStatus): boolean {
  return NEXT[status].length === 0;
}

export const FinishReason = z.enum([
  'completed',
  'max_iterations',
  'error',
  'cancelled',
  'deadline',
  'length',
  'content_filter',
  'waiting',
]);
export type FinishReason = z.infer<typeof FinishReason>;

/**
 * A figure of an answer and its source: a row and column of a call's result, or none. Words that do not fit the executed
 * query are listed as not found, with the reason.
 */
export const NumberCheck = z.strictObject({
  text: z.string(),
  start: z.number().int().nonnegative(),
  end: z.number().int().nonnegative(),
  found: z.boolean(),
  call_id: z.string().optional(),
  row: z.number().int().nonnegative().optional(),
  column: z.string().optional(),
  reason: z.string().optional(),
});
export type NumberCheck = z.infer<typeof NumberCheck>;

export const TurnError = z.strictObject({
  code: z.string(),
  error_type: ErrorType,
  message: z.string().min(1),
});
export type TurnError = z.infer<typeof TurnError>;

const ErrorDetail = z.strictObject({
  domain: z.string().optional(),
  tool: z.string().optional(),
  reason: z.string(),
});

/** A running call's question, and the schema of its answer. */
export const Question = z.strictObject({
  call_id: z.string(),
  message: z.string(),
  schema: JsonObject.optional(),
});

const TurnResultShape = z.strictObject({
  status: TurnStatus,
  finish_reason: FinishReason,
  content: z.string(),
  /** The number of model calls, without the summary call at the limit. */
  iterations: z.number().int().nonnegative(),
  tool_calls: z.array(ToolCall),
  tokens_used: TokenUsage.optional(),
  intent: Intent.optional(),
  intents: z.array(Intent).optional(),
  routing: RoutingDecision.optional(),
  sources: z.array(z.string()),
  suggestions: z.array(z.string()).max(3),
  confidence: z.enum(['high', 'medium', 'low']).optional(),
  checks: z.array(NumberCheck).optional(),
  partial_results: z.boolean(),
  error_details: z.array(ErrorDetail).optional(),
  files: z.array(FileVerdict).optional(),
  warning: z.string().optional(),
  error: TurnError.optional(),
  /** For developers: the host, the status and the sentence of a provider that failed. No front shows it to others. */
  cause: z.string().optional(),
  question: Question.optional(),
  messages: z.array(Message),
  execution_time_ms: z.number().nonnegative(),
});

/** The outcome of a turn, derived from its events. */
export const TurnResult = TurnResultShape.superRefine((result, context) => {
  const say = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
  if ((result.error !== undefined) !== (result.status === 'error'))
    say('error', 'goes with status error, and only then');
  const mayBeEmpty = result.status === 'cancelled' || result.status === 'waiting';
  if (result.content.trim() === '' && !mayBeEmpty) say('content', 'may be empty only when cancelled or waiting');
  if (result.status === 'running') say('status', 'a running turn has no result yet');
});
export type TurnResult = z.infer<typeof TurnResult>;
