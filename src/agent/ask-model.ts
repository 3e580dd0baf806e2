import { AppError } from '../errors.ts';
import type { ModelChunk, ModelFinish, ModelRequest, ReplyOrigin, ToolDefinition } from '../models/model.ts';
import { createReplyMeter, type ReplyMeter } from '../models/reply-meter.ts';
import { Stoppable } from '../models/stoppable.ts';
import type { Event, EventBody } from '../schema/event.ts';
import type { Intent } from '../schema/intent.ts';
import type { JsonObject } from '../schema/json.ts';
import type { AssistantMessage, Message } from '../schema/message.ts';
import { modelLimits } from '../schema/model-limits.ts';
import { newUlid } from '../schema/new-ulid.ts';
import { stepKey } from '../schema/step-key.ts';
import type { TokenUsage } from '../schema/token-usage.ts';
import { withAttached } from './attached-text.ts';
import { createChunkCleaner } from './clean-chunks.ts';
import { timedSignal } from './deadlines.ts';
import { noteForModel } from './earlier-calls.ts';
import { CHARS_PER_TOKEN, estimateTokens } from './fit-messages.ts';
import { buildMessages, systemPrompt } from './prompt.ts';
import { type RunningTurn, toolsNow } from './running-turn.ts';
import { type AskedCall, startCalls } from './start-calls.ts';
import { applyEvent, type TurnState, turnMessages } from './turn-state.ts';

/** A whole reply, not yet written down: `events` are what the loop commits next. */
export interface Reply {
  finish: ModelFinish;
  hasCalls: boolean;
  /** `step-end`, then the start of each call in order; a call with unreadable arguments is followed by its end. */
  events: EventBody[];
}

/** A reply so far, beside its text: that is in the turn's state. */
interface Heard {
  /** Something was said; a notice is not the model's. */
  isBegun: boolean;
  requests: AskedCall[];
  meter: ReplyMeter;
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
  const heard = hearNothing(modelLimits(deps.agent).reply_chars);
  try {
    let request = toRequest(turn, options);
    // That a model is asked changes nothing that must survive a crash, so nobody waits until it is written.
    yield deps.journal.note(started);
    for (let isRetry = false; ; isRetry = true) {
      try {
        const clean = createChunkCleaner();
        for await (const sent of streamReply(turn, { request, signal: timed.signal, heard })) {
          for (const chunk of clean(sent)) {
            const body = hear(heard, chunk, messageId);
            if (body) applyEvent(state, body);
            if (body) yield deps.journal.note(body);
          }
          if (heard.meter.isOver()) break;
        }
        if (heard.meter.isOver()) heard.finish = 'length';
        break;
      } catch (error) {
        if (isRetry) throw error;
        request = shortenRequest(turn, { options, request, error, heard });
      }
    }
    if (isSilentEnd(turn, heard)) {
      const done: EventBody = { type: 'text-delta', message_id: messageId, text: DONE };
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
function isSilentEnd({ state }: RunningTurn, { requests, finish }: Heard): boolean {
  const isEmpty = finish === 'stop' && stepText(state).trim() === '' && requests.length === 0;
  return isEmpty && state.calls.length > 0 && state.text.trim() === '';
}

function stepText({ step }: TurnState): string {
  return step?.text ?? '';
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
  const tokens = estimateTokens(request.messages);
  const shorter = toRequest(turn, options, Math.floor(tokens / 2));
  if (estimateTokens(shorter.messages) >= tokens) throw error;
  return shorter;
}

function toRequest(turn: RunningTurn, { withTools }: { withTools: boolean }, maxTokens?: number): ModelRequest {
  const { state, deps } = turn;
  const { agent, user, clock, zone } = deps;
  const now = clock.date();
  const read = (message: Message) => withAttached(message, deps.attached);
  const messages = turnMessages(state, agent.limits.tool_output_chars).map(read);
  const notes = [...(deps.notes ?? []), ...noteForModel(state.alreadyRan)];
  const system = systemPrompt({ instructions: agent.instructions, user, now, zone, notes });
  const tools = withTools ? [...toolsNow(turn).values()].map((offered) => offered.definition) : [];
  const context_tokens = maxTokens ?? roomForMessages(modelLimits(agent).context_tokens, { system, tools });
  return {
    system,
    messages: buildMessages(deps.history.map(read), messages, { context_tokens }),
    tools,
    now,
    ...(zone.name !== undefined && { timezone: zone.name }),
    ...(state.routing && { routing: state.routing }),
    ...(deps.traceparent && { traceparent: deps.traceparent(stepKey(state.iterations + 1)) }),
  };
}

/** Instructions and tools take their part of the context first; at least half of it is left to the messages. */
function roomForMessages(tokens: number, { system, tools }: Pick<ModelRequest, 'system' | 'tools'>): number {
  const chars = system.length + tools.reduce((sum, tool) => sum + definitionChars(tool), 0);
  return Math.max(Math.floor(tokens / 2), tokens - Math.ceil(chars / CHARS_PER_TOKEN));
}

const definitionSizes = new WeakMap<ToolDefinition, number>();

function definitionChars(tool: ToolDefinition): number {
  const known = definitionSizes.get(tool);
  if (known !== undefined) return known;
  const chars = JSON.stringify(tool).length;
  definitionSizes.set(tool, chars);
  return chars;
}

function hearNothing(maxChars: number): Heard {
  return {
    isBegun: false,
    requests: [],
    meter: createReplyMeter(maxChars),
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
    case 'reasoning': {
      const text = heard.meter.take(chunk.text);
      return text === '' ? undefined : { type: `${chunk.type}-delta`, message_id: messageId, text };
    }
    case 'notice':
      return { type: 'notice', text: chunk.text };
    case 'tool-call':
      heard.meter.count(chunk.name.length + chunk.arguments.length);
      if (!heard.meter.isOver()) heard.requests.push(chunk);
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
  const text = stepText(turn.state);
  const asked = withTools ? heard.requests : [];
  const { requests, events, metadata } = startCalls(turn, { asked, metadata: heard.metadata, messageId, timestamp });
  const isEmpty = text.trim() === '' && requests.length === 0 && heard.finish === 'stop';
  if (!heard.finish || (isEmpty && turn.state.calls.length === 0)) {
    throw new AppError('model_bad_reply', { detail: 'The model sent an empty answer. Please try again.' });
  }
  const message: AssistantMessage = {
    id: messageId,
    role: 'assistant',
    content: text,
    ...(requests.length > 0 && { tool_calls: requests }),
    timestamp,
    ...(heard.usage && { tokens_used: heard.usage }),
    metadata,
  };
  const hasMessage = text.trim() !== '' || requests.length > 0;
  return {
    finish: heard.finish,
    hasCalls: requests.length > 0,
    events: [
      {
        type: 'step-end',
        iteration,
        ...(hasMessage && { message }),
        ...(heard.usage && { tokens_used: heard.usage }),
        ...(heard.response && { response: heard.response }),
      },
      ...(heard.intents.length > 0 ? [{ type: 'intent' as const, intents: heard.intents }] : []),
      ...events,
    ],
  };
}
