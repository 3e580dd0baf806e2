import type { AppError } from '../../errors.ts';
import type { Event, EventOf } from '../../schema/conversation/event.ts';
import type { TurnResult } from '../../schema/conversation/turn.ts';
import type { JsonObject } from '../../schema/json.ts';
import { sanitizeJson } from '../../tools/sanitize.ts';
import { type Encoding, SSE } from '../http/encode.ts';
import type { StreamFrame, Translator } from '../stream/translator.ts';

export const UI_HEADERS = { 'x-vercel-ai-ui-message-stream': 'v1' };
const DONE = 'done';

export const uiEncoding: Encoding = {
  contentType: SSE,
  keepalive: ': keepalive\n\n',
  encode: (_id, { name, data }) => (name === DONE ? 'data: [DONE]\n\n' : `data: ${JSON.stringify(data)}\n\n`),
};

interface UiOptions {
  turnId: string;
  conversationId: string;
  withReasoning: boolean;
}

const FINISH: Partial<Record<TurnResult['finish_reason'], string>> = {
  completed: 'stop',
  length: 'length',
  content_filter: 'content-filter',
  waiting: 'tool-calls',
};

/** Translates a turn to the AI SDK's UI message stream: one message per turn, with a step for each reply of the model. */
export function createUiTranslator({ turnId, conversationId, withReasoning }: UiOptions): Translator {
  const denied = new Set<string>();
  const open = createOpenParts();
  let [hasStarted, isOver, isAnswer] = [false, false, false];
  const messageMetadata = { session_id: conversationId, turn_id: turnId };

  const end = (...chunks: Chunk[]): Chunk[] => {
    isOver = true;
    return [...open.closeStep(), ...chunks];
  };
  const resume = ({ reason, answers = [] }: EventOf<'turn-resume'>): Chunk[] => {
    for (const answer of answers) if ('approved' in answer && !answer.approved) denied.add(answer.call_id);
    // The reply that was cut off no longer counts.
    return reason === 'retry' && open.drop() ? [{ type: 'reset-step' }] : [];
  };
  const chunksOf = (event: Event): Chunk[] => {
    switch (event.type) {
      case 'turn-resume':
        return resume(event);
      case 'step-start':
        return open.step();
      case 'reasoning-delta':
        return withReasoning ? open.delta('reasoning', event) : [];
      case 'text-delta':
        return open.delta('text', event);
      case 'step-end':
        return open.closePart();
      case 'tool-call-start':
        return [...open.closePart(), inputChunk(event)];
      case 'tool-call-wait':
        return waitChunks(event);
      case 'tool-call-end':
        return [outputChunk(event, denied)];
      case 'notice':
        return [{ type: 'data-notice', data: { text: event.text }, transient: true }];
      case 'file':
        return [{ type: 'data-file', data: event.file }];
      case 'routing':
        return [{ type: 'data-routing', data: event.decision }];
      case 'turn-wait':
        return end({ type: 'finish', finishReason: 'tool-calls', messageMetadata });
      case 'turn-end':
        return end(...endChunks(event.result, messageMetadata));
      default:
        return [];
    }
  };
  /** A request that answers continues the client's last message. */
  const startChunk = (): Chunk => ({ type: 'start', ...(!isAnswer && { messageId: turnId }), messageMetadata });
  return {
    skip() {
      isAnswer = true;
    },
    frames(event) {
      if (isOver) return [];
      const start = hasStarted ? [] : [startChunk()];
      hasStarted = true;
      return toFrames([...start, ...chunksOf(event)], isOver);
    },
    needsHistory: () => false,
    setHistory: () => {},
    reset: () => [],
    end(error) {
      if (isOver) return [];
      return toFrames(end(errorChunk(error())), true);
    },
  };
}

function toFrames(chunks: readonly Chunk[], isOver: boolean): StreamFrame[] {
  const frames = chunks.map((data): StreamFrame => ({ data }));
  return isOver ? [...frames, { name: DONE, data: {} }] : frames;
}

function inputChunk({ call }: EventOf<'tool-call-start'>): Chunk {
  return partOf(call.id, call.name, call.arguments);
}

function partOf(toolCallId: string, toolName: string, input: JsonObject): Chunk {
  return { type: 'tool-input-available', toolCallId, toolName, input: sanitizeJson(input), dynamic: true };
}

/** A tool's own question has no part in this protocol, so it is data, which the request's `answers` answer. */
function waitChunks({ call_id, tool, wait, agent }: EventOf<'tool-call-wait'>): Chunk[] {
  const request = { type: 'tool-approval-request', approvalId: call_id, toolCallId: call_id };
  // The client does not know a call of a member yet.
  if (wait.kind === 'approval' && agent) return [partOf(call_id, `${agent}: ${tool}`, wait.sent_arguments), request];
  if (wait.kind === 'approval') return [request];
  if (wait.kind === 'client') return [];
  const { question: message, schema } = wait;
  return [{ type: 'data-question', id: call_id, data: { call_id, tool, message, ...(schema && { schema }) } }];
}

function outputChunk({ call }: EventOf<'tool-call-end'>, denied: ReadonlySet<string>): Chunk {
  const { id: toolCallId, result, error } = call;
  if (denied.has(toolCallId)) return { type: 'tool-output-denied', toolCallId };
  if (error) return { type: 'tool-output-error', toolCallId, errorText: error.message, dynamic: true };
  return { type: 'tool-output-available', toolCallId, output: result ?? null, dynamic: true };
}

function endChunks(result: TurnResult, metadata: Record<string, unknown>): Chunk[] {
  const { status, finish_reason, error, tokens_used } = result;
  if (error) return [errorChunk(error)];
  if (status === 'cancelled') return [{ type: 'abort' }];
  const messageMetadata = { ...metadata, status, ...(tokens_used && { usage: tokens_used }) };
  return [{ type: 'finish', finishReason: FINISH[finish_reason] ?? 'other', messageMetadata }];
}

function errorChunk({ message }: Pick<AppError, 'message'>): Chunk {
  return { type: 'error', errorText: message };
}

type Chunk = Record<string, unknown> & { type: string };
type Part = { kind: 'text' | 'reasoning'; id: string };

/** The step and the part that a message has opened and must close. */
function createOpenParts() {
  let hasStep = false;
  let open: Part | undefined;
  const closePart = (): Chunk[] => {
    const chunks = open ? [{ type: `${open.kind}-end`, id: open.id }] : [];
    open = undefined;
    return chunks;
  };
  const closeStep = (): Chunk[] => {
    const chunks = [...closePart(), ...(hasStep ? [{ type: 'finish-step' }] : [])];
    hasStep = false;
    return chunks;
  };
  return {
    closePart,
    closeStep,
    step(): Chunk[] {
      const chunks = [...closeStep(), { type: 'start-step' }];
      hasStep = true;
      return chunks;
    },
    delta(kind: Part['kind'], { message_id: id, text }: { message_id: string; text: string }): Chunk[] {
      const delta = { type: `${kind}-delta`, id, delta: text };
      if (open?.kind === kind && open.id === id) return [delta];
      const chunks = [...closePart(), { type: `${kind}-start`, id }, delta];
      open = { kind, id };
      return chunks;
    },
    /** Forgets the open part; false if there is none. */
    drop(): boolean {
      const hadPart = open !== undefined;
      open = undefined;
      return hadPart;
    },
  };
}
