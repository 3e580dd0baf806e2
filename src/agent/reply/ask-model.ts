import { AppError } from '../../errors.ts';
import type { ModelChunk, ModelFinish, ModelRequest, ReplyOrigin } from '../../models/model.ts';
import { tooSlow } from '../../models/model-errors.ts';
import { createReplyMeter, type ReplyMeter } from '../../models/reply-meter.ts';
import { Stoppable } from '../../models/stoppable.ts';
import type { Draft, Event, EventBody, Rejected } from '../../schema/conversation/event.ts';
import type { AssistantMessage } from '../../schema/conversation/message.ts';
import type { TokenUsage } from '../../schema/conversation/token-usage.ts';
import { modelLimits } from '../../schema/model-limits.ts';
import { timedSignal } from '../deadlines.ts';
import { estimateTokens } from '../fit-messages.ts';
import { toModelRequest } from '../model-request.ts';
import { type RunningTurn, withSpeaker } from '../running-turn.ts';
import { applyEvent } from '../turn-state.ts';
import { formatOf, readFormatted } from './answer-format.ts';
import { type CallParts, createCallParts } from './call-parts.ts';
import { createChunkCleaner } from './clean-chunks.ts';
import type { HeldReply } from './held-answer.ts';
import { outputTokens, readPaid } from './paid-reply.ts';
import { type AskedCall, newCallId, startCalls } from './start-calls.ts';

/** A complete model reply that is not yet in the journal. The loop commits `events` next. */
export interface Reply {
  finish: ModelFinish;
  hasCalls: boolean;
  /** `step-end`, then the start of each call in order. A call with unreadable arguments also ends right away. */
  events: EventBody[];
  /** Set if the answer does not fit the required format; `events` then hold no message. */
  rejected?: Rejected;
  /** The answer was held, and the plugin that had to see it failed. */
  isUnseen?: boolean | undefined;
  limit?: Limit | undefined;
  isDraft?: boolean;
}

export type Limit = NonNullable<Draft['limit']>;

export interface AskOptions {
  withTools: boolean;
  limit?: Limit | undefined;
}

/** The reply received so far. Its text is kept in the turn's state. */
interface ReplySoFar extends HeldReply {
  /** True once the model has sent anything. Notices do not count: they come from our adapter, not from the model. */
  isBegun: boolean;
  requests: AskedCall[];
  parts: CallParts;
  meter: ReplyMeter;
  finish: ModelFinish | undefined;
  usage: TokenUsage | undefined;
  /** An estimate for the budget, which needs it if the reply is cut off. */
  outputTokens: number;
  response: ReplyOrigin | undefined;
}

/** Asks the model once and emits text as it arrives. Retries happen inside the model. Throws the model's AppError. */
export async function* askModel(turn: RunningTurn, options: AskOptions): AsyncGenerator<Event, Reply> {
  const { state, deps, deadlines } = turn;
  deps.signal.throwIfAborted();
  const iteration = state.iterations + 1;
  const messageId = deps.ids.ulid();
  const started: EventBody = {
    type: 'step-start',
    iteration,
    message_id: messageId,
    ...(!options.withTools && { summary: true }),
    ...(deps.team && { agent: deps.team.speaker }),
  };
  applyEvent(state, started);
  const format = formatOf(turn);
  const parts = createCallParts(() => newCallId(turn));
  // A plugin's words would not fit a required format, so that no plugin holds such an answer.
  const isSeenFirst =
    format === undefined && turn.hold !== undefined && (await import('./held-answer.ts')).isHeld(turn);
  const isHeld = isSeenFirst || deps.readers !== undefined;
  const isKeptBack = format !== undefined || isHeld;
  const reply = emptyReply({ maxChars: modelLimits(deps.agent).reply_chars, isHeld: isKeptBack, parts });
  const ms = deadlines.iterationMs();
  const late = () => tooSlow({ label: deps.model.label, ms, isBegun: reply.isBegun });
  const timed = timedSignal({ parent: deps.signal, clock: deps.clock, ms, late });
  try {
    const request = toModelRequest(turn, options);
    // Starting a model request changes nothing that must survive a crash, so the loop does not wait for this write.
    yield deps.journal.note(started);
    if (isHeld) yield* (await import('./held-answer.ts')).noteHold(turn);
    const { signal } = timed;
    const read = readReply(turn, { options, request, signal, reply, messageId });
    yield* readPaid({ budget: deps.budget, request, signal, reply }, read);
    if (isSilentEnd(turn, reply)) {
      const done: EventBody = { type: 'text-delta', message_id: messageId, text: DONE };
      applyEvent(state, done);
      yield deps.journal.note(done);
    }
  } finally {
    timed.dispose();
  }
  const calls = options.withTools ? reply.requests.length : 0;
  // A withheld answer is no JSON; the ending says why there is none.
  if (format && reply.finish === 'content-filter') reply.held = '';
  if (format && calls === 0 && reply.finish && reply.finish !== 'content-filter') {
    const read = await readFormatted(turn, format, reply.held ?? '');
    if ('problems' in read) return rejectReply(reply, iteration, read);
    yield* (await import('./held-answer.ts')).showHeld(turn, { reply, messageId, text: read.text });
  } else if (isHeld && reply.finish) {
    const held = { reply, messageId, hasCalls: calls > 0, isSeen: isSeenFirst };
    yield* (await import('./held-answer.ts')).settleHeld(turn, held);
  }
  return wholeReply(turn, { reply, messageId, options }, iteration);
}

interface Asked {
  options: AskOptions;
  request: ModelRequest;
  signal: AbortSignal;
  reply: ReplySoFar;
  messageId: string;
}

/** Emits the reply as it arrives. A request that is too long for the model is sent once more, shortened. */
async function* readReply(turn: RunningTurn, asked: Asked): AsyncGenerator<Event, void> {
  const { options, signal, reply, messageId } = asked;
  let { request } = asked;
  for (let isRetry = false; ; isRetry = true) {
    try {
      const clean = createChunkCleaner();
      for await (const sent of streamReply(turn, { request, signal, reply })) {
        if (turn.deps.budget) reply.outputTokens += outputTokens(sent);
        for (const chunk of clean(sent)) {
          const body = readChunk(reply, chunk, messageId, options);
          if (body) applyEvent(turn.state, body);
          if (body) yield turn.deps.journal.note(body);
        }
        if (reply.meter.isOver()) break;
      }
      if (reply.meter.isOver()) reply.finish = 'length';
      return;
    } catch (error) {
      if (isRetry) throw error;
      request = shortenRequest(turn, { options, request, error, reply });
    }
  }
}

function rejectReply({ finish = 'stop', usage, response }: ReplySoFar, iteration: number, rejected: Rejected): Reply {
  const facts = { ...(usage && { tokens_used: usage }), ...(response && { response }) };
  return { finish, hasCalls: false, rejected, events: [{ type: 'step-end', iteration, ...facts, rejected }] };
}

const DONE = 'Done.';

/**
 * Some models end a turn of tool calls without any text. The user then reads "Done.", unless the turn already has text.
 */
function isSilentEnd({ state }: RunningTurn, { requests, finish, held }: ReplySoFar): boolean {
  if (held !== undefined) return false;
  const isEmpty = finish === 'stop' && !state.step?.text.trim() && requests.length === 0;
  return isEmpty && state.calls.length > 0 && state.text.trim() === '';
}

/** Stops reading when the signal aborts, even if the model ignores the signal. */
function streamReply(
  { deps, deadlines }: RunningTurn,
  { request, signal, reply }: { request: ModelRequest; signal: AbortSignal; reply: ReplySoFar },
) {
  const remainingMs = deadlines.iterationMs();
  const onResponse = (response: ReplyOrigin) => {
    if (response.id !== undefined || response.model !== undefined) reply.response = response;
  };
  const chunks = new Stoppable(() => deps.model.stream(request, { signal, remainingMs, onResponse }));
  const stop = () => chunks.stop(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  return chunks;
}

interface Failed {
  options: AskOptions;
  request: ModelRequest;
  error: unknown;
  reply: ReplySoFar;
}

/**
 * After "context too long", retries once with half the tokens if the model has sent nothing yet. Throws any other
 * error.
 */
function shortenRequest(turn: RunningTurn, { options, request, error, reply }: Failed): ModelRequest {
  const isTooLong = error instanceof AppError && error.code === 'context_too_long';
  if (!isTooLong || reply.isBegun) throw error;
  const tokens = estimateTokens(request.messages);
  const shorter = toModelRequest(turn, options, Math.floor(tokens / 2));
  if (estimateTokens(shorter.messages) >= tokens) throw error;
  return shorter;
}

function emptyReply({ maxChars, isHeld, parts }: { maxChars: number; isHeld: boolean; parts: CallParts }): ReplySoFar {
  return {
    parts,
    held: isHeld ? '' : undefined,
    isBegun: false,
    requests: [],
    meter: createReplyMeter(maxChars),
    intents: [],
    finish: undefined,
    usage: undefined,
    outputTokens: 0,
    metadata: {},
    response: undefined,
  };
}

/** Adds a chunk to the reply and returns the event to emit for it, if any. */
function readChunk(
  reply: ReplySoFar,
  chunk: ModelChunk,
  messageId: string,
  { withTools }: AskOptions,
): EventBody | undefined {
  reply.isBegun ||= chunk.type !== 'notice';
  switch (chunk.type) {
    case 'text':
    case 'reasoning': {
      const text = reply.meter.take(chunk.text);
      if (chunk.type === 'text' && reply.held !== undefined) {
        reply.held += text;
        return undefined;
      }
      return text === '' ? undefined : { type: `${chunk.type}-delta`, message_id: messageId, text };
    }
    case 'call-part':
      return withTools ? reply.parts.add(chunk, messageId) : undefined;
    case 'notice':
      // The adapter asks again, or another model.
      reply.parts.forget();
      return { type: 'notice', text: chunk.text };
    case 'tool-call':
      reply.meter.count(chunk.name.length + chunk.arguments.length);
      if (!reply.meter.isOver()) reply.requests.push({ ...chunk, ...reply.parts.idOf(reply.requests.length, chunk) });
      return undefined;
    case 'intent':
      reply.intents.push(...chunk.intents);
      return undefined;
    case 'finish':
      reply.finish = chunk.reason;
      reply.usage = chunk.usage;
      reply.metadata = chunk.metadata ?? {};
      return undefined;
  }
}

type Answered = Pick<Asked, 'reply' | 'messageId' | 'options'>;

function wholeReply(turn: RunningTurn, { reply, messageId, options }: Answered, iteration: number): Reply {
  const { withTools, limit } = options;
  const timestamp = turn.deps.clock.date().toISOString();
  const text = reply.held ?? turn.state.step?.text ?? '';
  const asked = withTools ? reply.requests : [];
  const { requests, events, metadata } = startCalls(turn, { asked, metadata: reply.metadata, messageId, timestamp });
  const isEmpty = text.trim() === '' && requests.length === 0 && reply.finish === 'stop';
  if (!reply.finish || (isEmpty && turn.state.calls.length === 0)) {
    throw new AppError('model_bad_reply', { detail: 'The model sent an empty answer. Please try again.' });
  }
  const message: AssistantMessage = {
    id: messageId,
    role: 'assistant',
    content: text,
    ...(requests.length > 0 && { tool_calls: requests }),
    timestamp,
    ...(reply.usage && { tokens_used: reply.usage }),
    metadata: withSpeaker(turn.deps, metadata),
  };
  const { finish, intents } = reply;
  const hasMessage = text.trim() !== '' || requests.length > 0;
  const isDraft = turn.deps.readers !== undefined && requests.length === 0 && hasMessage;
  const unseen = reply.isUnseen && { unseen: true };
  return {
    finish,
    limit,
    isDraft,
    hasCalls: requests.length > 0,
    ...(reply.isUnseen && { isUnseen: true }),
    events: [
      {
        type: 'step-end',
        iteration,
        ...(hasMessage && !isDraft && { message }),
        ...(isDraft && { draft: { message, intents, finish, ...(limit && { limit }), ...unseen } }),
        ...(reply.usage && { tokens_used: reply.usage }),
        ...(reply.response && { response: reply.response }),
        ...(reply.replaced && { rejected: reply.replaced }),
      },
      ...(intents.length > 0 && !isDraft ? [{ type: 'intent' as const, intents }] : []),
      ...events,
    ],
  };
}
