import { AppError } from '../errors.ts';
import type { ModelChunk, ModelFinish, ModelRequest, ReplyOrigin } from '../models/model.ts';
import { Stoppable } from '../models/stoppable.ts';
import type { Event, EventBody } from '../schema/event.ts';
import type { Intent } from '../schema/intent.ts';
import type { JsonObject } from '../schema/json.ts';
import type { AssistantMessage, Message } from '../schema/message.ts';
import { newUlid } from '../schema/new-ulid.ts';
import { stepKey } from '../schema/step-key.ts';
import type { TokenUsage } from '../schema/token-usage.ts';
import type { ToolCall, ToolCallRequest } from '../schema/tool-call.ts';
import { parseArguments } from '../tools/parse-arguments.ts';
import { withAttached } from './attached-text.ts';
import { timedSignal } from './deadlines.ts';
import { noteForModel } from './earlier-calls.ts';
import { buildMessages, estimateTokens, systemPrompt } from './prompt.ts';
import { type RunningTurn, toolsNow } from './running-turn.ts';
import { applyEvent, turnMessages } from './turn-state.ts';

/** A whole reply, not yet written down: `events` are what the loop commits next. */
export interface Reply {
  finish: ModelFinish;
  hasCalls: boolean;
  /** `step-end`, then the start of each call in order; a call with unreadable arguments is followed by its end. */
  events: EventBody[];
}

interface Heard {
  /** Something was said; a notice is not the model's. */
  isBegun: boolean;
  text: string;
  requests: { name: string; arguments: string }[];
  intents: Intent[];
  finish: ModelFinish | undefined;
  usage: TokenUsage | undefined;
  metadata: JsonObject;
  response: ReplyOrigin | undefined;
}

/** Asks the model once (its retries are its own) and tells text as it arrives. Throws the model's AppError. */
export async function* askModel(turn: RunningTurn, options: { withTools: boolean }): AsyncGenerator<Event, Reply> {
  const { state, deps, deadlines } = turn;
  deps.signal.throwIfAborted();
  const iteration = state.iterations + 1;
  const messageId = newUlid();
  const started: EventBody = {
    type: 'step-start',
    iteration,
    message_id: messageId,
    ...(!options.withTools && { summary: true }),
  };
  applyEvent(state, started);
  const timed = timedSignal({
    parent: deps.signal,
    clock: deps.clock,
    ms: deadlines.iterationMs(),
    code: 'model_timeout',
  });
  const heard = hearNothing();
  try {
    let request = toRequest(turn, options);
    // That a model is asked changes nothing that must survive a crash, so nobody waits until it is written.
    yield deps.journal.note(started);
    for (let isRetry = false; ; isRetry = true) {
      try {
        for await (const chunk of streamReply(turn, { request, signal: timed.signal, heard })) {
          const body = hear(heard, chunk, messageId);
          if (!body) continue;
          applyEvent(state, body);
          yield deps.journal.note(body);
        }
        break;
      } catch (error) {
        if (isRetry) throw error;
        request = shortenRequest(turn, { options, request, error, heard });
      }
    }
    if (isSilentEnd(turn, heard)) {
      const done: EventBody = { type: 'text-delta', message_id: messageId, text: DONE };
      heard.text = DONE;
      applyEvent(state, done);
      yield deps.journal.note(done);
    }
  } finally {
    timed.dispose();
  }
  return wholeReply({ turn, heard, iteration, messageId, withTools: options.withTools });
}

const DONE = 'Done.';

/** Some models end a turn of tool calls without a word. People then read a word of ours, unless there was text before. */
function isSilentEnd({ state }: RunningTurn, { text, requests, finish }: Heard): boolean {
  const isEmpty = finish === 'stop' && text.trim() === '' && requests.length === 0;
  return isEmpty && state.calls.length > 0 && state.text.trim() === '';
}

/** A model that does not heed the signal is waited for no longer all the same. */
function streamReply(
  { deps, deadlines }: RunningTurn,
  { request, signal, heard }: { request: ModelRequest; signal: AbortSignal; heard: Heard },
) {
  const remainingMs = deadlines.iterationMs();
  const onResponse = (response: ReplyOrigin) => {
    if (response.id !== undefined || response.model !== undefined) heard.response = response;
  };
  const chunks = new Stoppable(() => deps.model.stream(request, { signal, remainingMs, onResponse }));
  const stop = () => chunks.stop(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  return chunks;
}

interface Failed {
  options: { withTools: boolean };
  request: ModelRequest;
  error: unknown;
  heard: Heard;
}

/** "Context too long" is answered once, by sending half as much, if nothing was said yet; any other error is thrown. */
function shortenRequest(turn: RunningTurn, { options, request, error, heard }: Failed): ModelRequest {
  const isTooLong = error instanceof AppError && error.code === 'context_too_long';
  if (!isTooLong || heard.isBegun) throw error;
  const half = Math.floor(estimateTokens(request.messages) / 2);
  const shorter = toRequest(turn, options, half);
  if (shorter.messages.length === request.messages.length) throw error;
  return shorter;
}

function toRequest(turn: RunningTurn, { withTools }: { withTools: boolean }, maxTokens?: number): ModelRequest {
  const { state, deps } = turn;
  const { agent, user, clock, zone } = deps;
  const now = clock.date();
  const read = (message: Message) => withAttached(message, deps.attached);
  const messages = turnMessages(state, agent.limits.tool_output_chars).map(read);
  const notes = [...(deps.notes ?? []), ...noteForModel(state.alreadyRan)];
  const limits = maxTokens === undefined ? agent.limits : { ...agent.limits, context_tokens: maxTokens };
  return {
    system: systemPrompt({ instructions: agent.instructions, user, now, zone, notes }),
    messages: buildMessages(deps.history.map(read), messages, limits),
    tools: withTools ? [...toolsNow(turn).values()].map((offered) => offered.definition) : [],
    now,
    ...(zone.name !== undefined && { timezone: zone.name }),
    ...(state.routing && { routing: state.routing }),
    ...(deps.traceparent && { traceparent: deps.traceparent(stepKey(state.iterations + 1)) }),
  };
}

function hearNothing(): Heard {
  return {
    isBegun: false,
    text: '',
    requests: [],
    intents: [],
    finish: undefined,
    usage: undefined,
    metadata: {},
    response: undefined,
  };
}

/** Takes a chunk in, and returns what is told of it at once. */
function hear(heard: Heard, chunk: ModelChunk, messageId: string): EventBody | undefined {
  heard.isBegun ||= chunk.type !== 'notice';
  switch (chunk.type) {
    case 'text':
      heard.text += chunk.text;
      return chunk.text === '' ? undefined : { type: 'text-delta', message_id: messageId, text: chunk.text };
    case 'reasoning':
      return chunk.text === '' ? undefined : { type: 'reasoning-delta', message_id: messageId, text: chunk.text };
    case 'notice':
      return { type: 'notice', text: chunk.text };
    case 'tool-call':
      heard.requests.push(chunk);
      return undefined;
    case 'intent':
      heard.intents.push(...chunk.intents);
      return undefined;
    case 'finish':
      heard.finish = chunk.reason;
      heard.usage = chunk.usage;
      heard.metadata = chunk.metadata ?? {};
      return undefined;
  }
}

function wholeReply(options: {
  turn: RunningTurn;
  heard: Heard;
  iteration: number;
  messageId: string;
  withTools: boolean;
}): Reply {
  const { turn, heard, iteration, messageId, withTools } = options;
  const timestamp = turn.deps.clock.date().toISOString();
  const calls = withTools ? heard.requests.map((request) => startCall(turn, request, { messageId, timestamp })) : [];
  const isEmpty = heard.text.trim() === '' && calls.length === 0 && heard.finish === 'stop';
  if (!heard.finish || (isEmpty && turn.state.calls.length === 0)) {
    throw new AppError('model_bad_reply', { detail: 'The model sent an empty answer. Please try again.' });
  }
  const requests = calls.map(({ request }) => request);
  const message: AssistantMessage = {
    id: messageId,
    role: 'assistant',
    content: heard.text,
    ...(requests.length > 0 && { tool_calls: requests }),
    timestamp,
    ...(heard.usage && { tokens_used: heard.usage }),
    metadata: heard.metadata,
  };
  const hasMessage = heard.text.trim() !== '' || requests.length > 0;
  return {
    finish: heard.finish,
    hasCalls: calls.length > 0,
    events: [
      {
        type: 'step-end',
        iteration,
        ...(hasMessage && { message }),
        ...(heard.usage && { tokens_used: heard.usage }),
        ...(heard.response && { response: heard.response }),
      },
      ...(heard.intents.length > 0 ? [{ type: 'intent' as const, intents: heard.intents }] : []),
      ...calls.flatMap((call) => call.events),
    ],
  };
}

/**
 * The id is ours: it is the call's idempotency key, and some models count from zero in every reply. A call whose
 * arguments cannot be read ends in the same write that starts it, so that no later attempt can run it.
 */
function startCall(
  turn: RunningTurn,
  { name, arguments: text }: { name: string; arguments: string },
  { messageId, timestamp }: { messageId: string; timestamp: string },
): { request: ToolCallRequest; events: EventBody[] } {
  const parsed = parseArguments(text);
  const request: ToolCallRequest = {
    id: `call_${newUlid()}`,
    name: name || 'unnamed',
    arguments: 'problem' in parsed ? {} : parsed.arguments,
  };
  const domain = turn.deps.tools.get(name)?.tool.domain;
  const call: ToolCall = { ...request, ...(domain && { domain }), state: 'pending' };
  const start: EventBody = { type: 'tool-call-start', call, message_id: messageId };
  if (!('problem' in parsed)) return { request, events: [start] };
  const failed: ToolCall = {
    ...call,
    state: 'failed',
    error: { error_type: 'ValidationError', message: parsed.problem },
    completed_at: timestamp,
  };
  return { request, events: [start, { type: 'tool-call-end', call: failed, message_id: newUlid() }] };
}
