import * as z from 'zod';
import { Intent, RoutingDecision } from '../domain.ts';
import { FileVerdict } from '../file.ts';
import { Ulid } from '../ids.ts';
import { JsonObject, lazyStrict } from '../json.ts';
import { Timestamp } from '../scalars.ts';
import { AssistantMessage, UserMessage } from './message.ts';
import { TokenUsage } from './token-usage.ts';
import { ToolCall } from './tool-call.ts';
import { AnswerCheck, Citation, TurnResult } from './turn.ts';

// Schemas that several keys share: each one costs time when a command starts.
const Words = z.string();
const OptionalWords = Words.optional();
const Flag = z.boolean().optional();
const CallId = Words.min(1);
const CallIds = z.lazy(() => z.array(CallId).min(1));
const Iteration = z.lazy(() => z.number().int().positive());

/** The name that a tool's result gave for an id in a call's arguments. */
export const KnownName = lazyStrict(() => ({ argument: Words, name: Words, tool: Words }));
export type KnownName = z.infer<typeof KnownName>;

/** The reason why a call waits. */
export const CallWait = z.lazy(() =>
  z.discriminatedUnion('kind', [
    /**
     * A human decides. The approval covers the exact arguments and the hash of the tool's definition. The names only help
     * the human to recognize ids.
     */
    z.strictObject({
      kind: z.literal('approval'),
      sent_arguments: JsonObject,
      definition: Words,
      names: z.array(KnownName).optional(),
    }),
    /** The client runs the tool and returns the result. */
    z.strictObject({ kind: z.literal('client') }),
    /** The tool asked a question. */
    z.strictObject({ kind: z.literal('input'), question: Words, schema: JsonObject.optional() }),
  ]),
);
export type CallWait = z.infer<typeof CallWait>;

/** An answer to a waiting call: a decision, or the client's result. */
export const CallAnswer = z.lazy(() =>
  z.union([
    z.strictObject({ call_id: CallId, approved: z.boolean(), reason: OptionalWords }),
    z.strictObject({ call_id: CallId, result: z.json() }),
  ]),
);
export type CallAnswer = z.infer<typeof CallAnswer>;

/** A reply that nobody has seen, and why: it is outside the required format, or a plugin replaced it. */
export const Rejected = lazyStrict(() => ({
  text: Words,
  problems: z.array(Words).min(1),
  /** The message beside it was sent in its place; without this the model is asked to correct it. */
  replaced: z.literal(true).optional(),
}));
export type Rejected = z.infer<typeof Rejected>;

/** A whole reply that the members of `then` read before anybody else. Another text may be sent in its place. */
export const Draft = lazyStrict(() => ({
  message: AssistantMessage,
  intents: z.array(Intent),
  finish: z.enum(['stop', 'length', 'tool-calls', 'content-filter']),
  /** The reply is the sum of a turn at this limit. */
  limit: z.enum(['max_iterations', 'deadline']).optional(),
  unseen: Flag,
}));
export type Draft = z.infer<typeof Draft>;

const turnAndReply = () =>
  [
    z.strictObject({
      type: z.literal('turn-start'),
      turn_id: Ulid,
      conversation_id: Ulid,
      agent: Words,
      message: UserMessage,
      /** The turn that answered the same message before. */
      replaces: Ulid.optional(),
      /** Calls of the turns that this one replaced. Their effects remain. */
      already_ran: z.array(ToolCall).optional(),
      /** The JSON Schema of the answer, if the request named one. */
      response_format: JsonObject.optional(),
    }),
    /** A later attempt at the same turn. Text of an unfinished reply no longer counts. */
    z.strictObject({
      type: z.literal('turn-resume'),
      reason: z.enum(['retry', 'answer']),
      answers: z.array(CallAnswer).optional(),
      /** The Idempotency-Key of the request with the answers or the repeated message. */
      key: OptionalWords,
    }),
    z.strictObject({
      type: z.literal('step-start'),
      iteration: Iteration,
      message_id: Ulid,
      summary: Flag,
      /** No model is asked: a draft that members have read is sent. */
      carried: Flag,
      /** The agent that replies, in a team whose agents hand over to each other. */
      agent: OptionalWords,
    }),
    z.strictObject({ type: z.literal('reasoning-delta'), message_id: Ulid, text: Words }),
    z.strictObject({ type: z.literal('text-delta'), message_id: Ulid, text: Words }),
    /** The model's reply is complete. */
    z.strictObject({
      type: z.literal('step-end'),
      iteration: Iteration,
      message: AssistantMessage.optional(),
      tokens_used: TokenUsage.optional(),
      /** Id and model of the reply, as reported by the provider. */
      response: z.strictObject({ id: OptionalWords, model: OptionalWords }).optional(),
      /** Why the reply was cut off: the error's code, or how the turn ended. */
      error: OptionalWords,
      /** No model was asked: calls taken over from the replaced turn, or a draft that members have read. */
      carried: Flag,
      rejected: Rejected.optional(),
      /** In place of the message, until the members have read it. */
      draft: Draft.optional(),
    }),
    z.strictObject({ type: z.literal('intent'), intents: z.array(Intent).min(1) }),
    z.strictObject({ type: z.literal('routing'), decision: RoutingDecision }),
    z.strictObject({ type: z.literal('file'), file: FileVerdict }),
    /** Progress of reading a file, such as "page 3 of 50". */
    z.strictObject({ type: z.literal('file-progress'), filename: Words, text: Words }),
  ] as const;

const callsOfTools = () =>
  [
    /** Arguments of a call as the model writes them, from the character `start` on. A call may come without them. */
    z.strictObject({
      type: z.literal('tool-call-delta'),
      call_id: CallId,
      tool: Words,
      message_id: Ulid,
      start: z.number().int().nonnegative(),
      text: Words,
    }),
    z.strictObject({ type: z.literal('tool-call-start'), call: ToolCall, message_id: Ulid.optional() }),
    /** `agent`: a call of this member of the team, which the calls of the turn itself do not contain. */
    z.strictObject({
      type: z.literal('tool-call-wait'),
      call_id: CallId,
      tool: Words,
      wait: CallWait,
      agent: OptionalWords,
    }),
    z.strictObject({
      type: z.literal('tool-call-run'),
      call_id: CallId,
      tool: Words,
      sent_arguments: JsonObject,
      started_at: Timestamp,
      /** Paths where a value of the model was replaced. */
      overridden: z.array(Words),
      read_only: Flag,
      /** Run again with the same call id, it continues and repeats nothing. Recovery leaves it open. */
      resumable: Flag,
    }),
    /**
     * A call's work is this turn of a member, or this task on another server. With `open` that turn waits, and so does the
     * call: for these calls, each with a `tool-call-wait` that names the member.
     */
    z.strictObject({
      type: z.literal('delegation'),
      call_id: CallId,
      agent: Words,
      turn_id: CallId,
      remote: z.literal(true).optional(),
      open: CallIds.optional(),
    }),
    /** From here on another agent of the team has the conversation. Written with the end of the call. */
    z.strictObject({ type: z.literal('hand-over'), call_id: CallId, from: Words, to: Words, reason: Words }),
    z.strictObject({ type: z.literal('tool-call-progress'), call_id: CallId, text: Words }),
    /** A call has its result, or failed. `answer` is the text that a member sends in place of a draft; no front shows it. */
    z.strictObject({ type: z.literal('tool-call-end'), call: ToolCall, message_id: Ulid, answer: OptionalWords }),
  ] as const;

const answerAndEnd = () =>
  [
    z.strictObject({
      type: z.literal('annotation'),
      checks: z.array(AnswerCheck),
      citations: z.array(Citation).optional(),
    }),
    /** Information for the user that changes nothing: a retry, a fallback, a limit that is near. */
    z.strictObject({ type: z.literal('notice'), text: Words }),
    /** The turn pauses until its waiting calls are answered. */
    z.strictObject({
      type: z.literal('turn-wait'),
      calls: CallIds,
      active_ms: z.number().nonnegative(),
      result: TurnResult,
      /**
       * The calls still run and ask a question. The turn continues in the same process; after a crash the calls are
       * unknown.
       */
      asking: z.literal(true).optional(),
    }),
    /** Written by recovery when the turn's process is gone. */
    z.strictObject({ type: z.literal('turn-interrupt') }),
    z.strictObject({ type: z.literal('turn-end'), result: TurnResult }),
  ] as const;

/** An event before it has its position in the journal. */
export const EventBody = z.lazy(() =>
  z.discriminatedUnion('type', [...turnAndReply(), ...callsOfTools(), ...answerAndEnd()]),
);
export type EventBody = z.infer<typeof EventBody>;
export type EventType = EventBody['type'];

/** An event of a turn. Events are the only output of the loop. */
export type Event = EventBody & { id: string; at: Timestamp };
export type EventOf<T extends EventType> = Extract<Event, { type: T }>;

/** True for transient events: emitted, never stored. */
export function isPassing(event: EventBody): boolean {
  return ['tool-call-delta', 'tool-call-progress', 'file-progress', 'notice'].includes(event.type);
}

/** True for deltas: emitted at once and stored in segments. */
export function isDelta(event: EventBody): event is Extract<EventBody, { type: 'text-delta' | 'reasoning-delta' }> {
  return event.type === 'text-delta' || event.type === 'reasoning-delta';
}

/** Identifies a model call of a turn in trace contexts. */
export function stepKey(iteration: number): string {
  return `step ${iteration}`;
}
