import * as z from 'zod';
import { Intent, RoutingDecision } from '../domain.ts';
import { FileVerdict } from '../file.ts';
import { JsonObject, lazyStrict } from '../json.ts';
import { cleanText } from '../user-text.ts';
import { Message } from './message.ts';
import { TokenUsage } from './token-usage.ts';
import { Delegation, ErrorType, ToolCall } from './tool-call.ts';

const COMMENT_CHARS = 2_000;

/** A user's rating of an answer. A null rating without a comment withdraws it. */
export const Feedback = lazyStrict(() => ({
  rating: z.enum(['up', 'down']).nullable(),
  comment: z
    .string()
    .max(COMMENT_CHARS, `must not be longer than ${COMMENT_CHARS} characters`)
    .overwrite(cleanText)
    .optional(),
}));
export type Feedback = z.infer<typeof Feedback>;

/** Callers are warned from this share on. */
const WARN_AT = 0.8;
const NEARLY_FULL =
  'This conversation nearly fills what the model is sent: the oldest messages are left out as it grows.';

/** The warning for a conversation that uses this share of the agent's limits. */
export function contextWarning(share: number): string | undefined {
  return share >= WARN_AT ? NEARLY_FULL : undefined;
}

/** Lets fronts that count messages themselves recognize the warning. */
export function isContextWarning(warning: string | undefined): boolean {
  return warning === NEARLY_FULL;
}

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

export function isTurnEnded(status: TurnStatus): boolean {
  return !['running', 'waiting', 'interrupted'].includes(status);
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

// Schemas that several keys share: each one costs time when a command starts.
const Words = z.string();
const OptionalWords = Words.optional();
const Count = z.lazy(() => z.number().int().nonnegative());

const checkedPart = () => ({ text: Words, start: Count, end: Count, found: z.boolean(), reason: OptionalWords });

/**
 * A figure of an answer and its source: a row and column of a call's result, or none. Words that do not fit the executed
 * query are listed as not found, with the reason.
 */
export const NumberCheck = lazyStrict(() => ({
  kind: z.literal('figure').optional(),
  ...checkedPart(),
  call_id: OptionalWords,
  row: Count.optional(),
  column: OptionalWords,
}));
export type NumberCheck = z.infer<typeof NumberCheck>;

/** A sentence of an answer and the passages that support it. Not found = at least one part of it is in no cited passage. */
const CitationCheck = lazyStrict(() => ({
  kind: z.literal('citation'),
  ...checkedPart(),
  /** Ids of `citations`; absent if the sentence has no passage. */
  citations: z.array(Words).optional(),
}));
export type CitationCheck = z.infer<typeof CitationCheck>;

export const AnswerCheck = z.lazy(() => z.union([NumberCheck, CitationCheck]));
export type AnswerCheck = z.infer<typeof AnswerCheck>;

/** A passage of a document that the answer cites. The quote is kept, so that it can be shown when the file has changed. */
export const Citation = lazyStrict(() => ({
  /** The mark in the text: `p1` for `[p1]`. */
  id: Words,
  /** The name under `knowledge` in agent.yaml. */
  knowledge: Words,
  document: Words,
  title: Words,
  page: Count.optional(),
  breadcrumb: z.array(Words),
  /** The hash of the file when it was read. */
  version: Words,
  /** The characters of the document's text that the passage covers. */
  start: Count,
  end: Count,
  quote: Words,
}));
export type Citation = z.infer<typeof Citation>;

export const TurnError = lazyStrict(() => ({
  code: Words,
  error_type: ErrorType,
  message: Words.min(1),
}));
export type TurnError = z.infer<typeof TurnError>;

const ErrorDetail = lazyStrict(() => ({
  domain: OptionalWords,
  tool: OptionalWords,
  reason: Words,
}));

/** A running call's question, and the schema of its answer. */
export const Question = lazyStrict(() => ({
  call_id: Words,
  message: Words,
  schema: JsonObject.optional(),
}));

const TurnResultShape = lazyStrict(() => ({
  status: TurnStatus,
  finish_reason: FinishReason,
  content: Words,
  /** The agent that has the conversation now, in a team whose agents hand over to each other. */
  agent: OptionalWords,
  /** The number of model calls, without the summary call at the limit. */
  iterations: Count,
  tool_calls: z.array(ToolCall),
  /** With those of `delegations`. */
  tokens_used: TokenUsage.optional(),
  delegations: z.array(Delegation).optional(),
  /** Calls of members that need an answer. */
  asked: z
    .array(z.strictObject({ call_id: Words, tool: Words, agent: Words, arguments: JsonObject.optional() }))
    .optional(),
  intent: Intent.optional(),
  intents: z.array(Intent).optional(),
  routing: RoutingDecision.optional(),
  sources: z.array(Words),
  suggestions: z.array(Words).max(3),
  confidence: z.enum(['high', 'medium', 'low']).optional(),
  checks: z.array(AnswerCheck).optional(),
  citations: z.array(Citation).optional(),
  partial_results: z.boolean(),
  error_details: z.array(ErrorDetail).optional(),
  files: z.array(FileVerdict).optional(),
  warning: OptionalWords,
  error: TurnError.optional(),
  /** For developers: the host, the status and the sentence of a provider that failed. No front shows it to others. */
  cause: OptionalWords,
  question: Question.optional(),
  messages: z.array(Message),
  execution_time_ms: z.number().nonnegative(),
}));

/** The outcome of a turn, derived from its events. */
export const TurnResult = z.lazy(() =>
  TurnResultShape.unwrap().superRefine((result, context) => {
    const say = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if ((result.error !== undefined) !== (result.status === 'error'))
      say('error', 'goes with status error, and only then');
    const mayBeEmpty = result.status === 'cancelled' || result.status === 'waiting';
    if (result.content.trim() === '' && !mayBeEmpty) say('content', 'may be empty only when cancelled or waiting');
    if (result.status === 'running') say('status', 'a running turn has no result yet');
  }),
);
export type TurnResult = z.infer<typeof TurnResult>;
