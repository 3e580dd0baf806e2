import * as z from 'zod';
import { RoutingDecision } from './domain.ts';
import { FileVerdict } from './file.ts';
import { Ulid } from './ids.ts';
import { Intent } from './intent.ts';
import { JsonObject } from './json.ts';
import { AssistantMessage, UserMessage } from './message.ts';
import { Timestamp } from './time.ts';
import { TokenUsage } from './token-usage.ts';
import { ToolCall } from './tool-call.ts';
import { NumberCheck, TurnResult } from './turn.ts';

const CallId = z.string().min(1);
const Iteration = z.number().int().positive();

/** What a waiting call waits for. */
export const CallWait = z.discriminatedUnion('kind', [
  /** A human decides; bound to the exact arguments and the tool's definition (its hash). */
  z.strictObject({ kind: z.literal('approval'), sent_arguments: JsonObject, definition: z.string() }),
  /** The caller runs the tool and brings the result. */
  z.strictObject({ kind: z.literal('client') }),
  /** The tool asked a question. */
  z.strictObject({ kind: z.literal('input'), question: z.string(), schema: JsonObject.optional() }),
]);
export type CallWait = z.infer<typeof CallWait>;

/** An answer to a waiting call: a decision, or the result that the caller made. */
export const CallAnswer = z.union([
  z.strictObject({ call_id: CallId, approved: z.boolean(), reason: z.string().optional() }),
  z.strictObject({ call_id: CallId, result: z.json() }),
]);
export type CallAnswer = z.infer<typeof CallAnswer>;

const BODIES = [
  z.strictObject({
    type: z.literal('turn-start'),
    turn_id: Ulid,
    conversation_id: Ulid,
    agent: z.string(),
    message: UserMessage,
    /** The turn beside this one that answered the message before. */
    replaces: Ulid.optional(),
    /** Calls of the turns that left the path for this one: their effects stand. */
    already_ran: z.array(ToolCall).optional(),
  }),
  /** A later attempt at the same turn: what was told of an unfinished reply no longer stands. */
  z.strictObject({
    type: z.literal('turn-resume'),
    reason: z.enum(['retry', 'answer']),
    answers: z.array(CallAnswer).optional(),
    /** The Idempotency-Key of the request that brought the answers or the message again. */
    key: z.string().optional(),
  }),
  z.strictObject({
    type: z.literal('step-start'),
    iteration: Iteration,
    message_id: Ulid,
    summary: z.boolean().optional(),
  }),
  z.strictObject({ type: z.literal('reasoning-delta'), message_id: Ulid, text: z.string() }),
  z.strictObject({ type: z.literal('text-delta'), message_id: Ulid, text: z.string() }),
  /** The model's reply is whole. */
  z.strictObject({
    type: z.literal('step-end'),
    iteration: Iteration,
    message: AssistantMessage.optional(),
    tokens_used: TokenUsage.optional(),
    /** Id and model that the provider gives for its reply. */
    response: z.strictObject({ id: z.string().optional(), model: z.string().optional() }).optional(),
    /** Why the reply broke off: the code of the error, or how the turn ended. */
    error: z.string().optional(),
    /** Calls taken over from the replaced turn; no model was asked. */
    carried: z.boolean().optional(),
  }),
  z.strictObject({ type: z.literal('intent'), intents: z.array(Intent).min(1) }),
  z.strictObject({ type: z.literal('routing'), decision: RoutingDecision }),
  z.strictObject({ type: z.literal('file'), file: FileVerdict }),
  /** How far a file is read, such as "page 3 of 50". */
  z.strictObject({ type: z.literal('file-progress'), filename: z.string(), text: z.string() }),
  z.strictObject({ type: z.literal('tool-call-start'), call: ToolCall, message_id: Ulid.optional() }),
  z.strictObject({ type: z.literal('tool-call-wait'), call_id: CallId, tool: z.string(), wait: CallWait }),
  z.strictObject({
    type: z.literal('tool-call-run'),
    call_id: CallId,
    tool: z.string(),
    sent_arguments: JsonObject,
    started_at: Timestamp,
    /** Paths where the model had put a value of its own that was replaced. */
    overridden: z.array(z.string()),
    read_only: z.boolean().optional(),
  }),
  z.strictObject({ type: z.literal('tool-call-progress'), call_id: CallId, text: z.string() }),
  z.strictObject({ type: z.literal('tool-call-end'), call: ToolCall, message_id: Ulid }),
  z.strictObject({ type: z.literal('annotation'), checks: z.array(NumberCheck) }),
  /** Something that people should know and that changes nothing: a retry, a fallback, a limit that is near. */
  z.strictObject({ type: z.literal('notice'), text: z.string() }),
  /** The turn stands still until its waiting calls are answered. */
  z.strictObject({
    type: z.literal('turn-wait'),
    calls: z.array(CallId).min(1),
    active_ms: z.number().nonnegative(),
    result: TurnResult,
    /** The calls still run and ask a question; the turn continues in its process, and a crash makes them unknown. */
    asking: z.literal(true).optional(),
  }),
  /** Written by recovery when the process that ran the turn is gone. */
  z.strictObject({ type: z.literal('turn-interrupt') }),
  z.strictObject({ type: z.literal('turn-end'), result: TurnResult }),
] as const;

/** What happened, before it has its place in the journal. */
export const EventBody = z.discriminatedUnion('type', BODIES);
export type EventBody = z.infer<typeof EventBody>;
export type EventType = EventBody['type'];

/** One thing that happened in a turn; the only output of the loop. */
export type Event = EventBody & { id: string; at: Timestamp };
export type EventOf<T extends EventType> = Extract<Event, { type: T }>;

/** Shown while it happens and never stored. */
export function isPassing(event: EventBody): boolean {
  return ['tool-call-progress', 'file-progress', 'notice'].includes(event.type);
}

/** Told at once, and stored in segments. */
export function isDelta(event: EventBody): event is Extract<EventBody, { type: 'text-delta' | 'reasoning-delta' }> {
  return event.type === 'text-delta' || event.type === 'reasoning-delta';
}
