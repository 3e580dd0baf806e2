import type { AppError } from '../../errors.ts';
import type { ChatResponse, RestToolCall } from '../../schema/conversation/chat.ts';
import type { Event, EventOf } from '../../schema/conversation/event.ts';
import type { Message } from '../../schema/conversation/message.ts';
import { isEnded, type ToolCall } from '../../schema/conversation/tool-call.ts';
import type { TurnResult } from '../../schema/conversation/turn.ts';
import type { JsonObject } from '../../schema/json.ts';
import { sanitizeJson } from '../../tools/sanitize.ts';
import type { RestEventType } from '../openapi/stream-events.ts';
import type { StreamFrame, Translator } from '../stream/translator.ts';

/** Translates events into the frames of REST's stream. */
export function createRestTranslator(conversationId: string): Translator {
  const text = createTextKeeper();
  let hasEnded = true;
  let agent: string | undefined;

  const take = (event: Event) => {
    text.take(event);
    if (event.type === 'step-start') agent = event.agent;
    if (event.type === 'turn-end' || event.type === 'turn-wait') hasEnded = true;
    else if (event.type !== 'turn-interrupt') hasEnded = false;
  };
  return {
    skip(event) {
      take(event);
      if (event.type === 'text-delta') text.hold(event.text);
      // A reader positioned after an interruption has already received the end of the turn.
      if (event.type === 'turn-interrupt') hasEnded = true;
    },
    frames(event) {
      const hadOpenText = text.hasOpen();
      take(event);
      if (event.type !== 'turn-resume') return toRestFrames(event, conversationId, agent);
      return hadOpenText ? [resetFrame(text.standing())] : [];
    },
    needsHistory: () => false,
    setHistory: () => {},
    reset: () => [resetFrame(text.standing())],
    end(error) {
      if (hasEnded) return [];
      hasEnded = true;
      return [{ ...frame('error', { session_id: conversationId, error: toErrorData(error()) }), isCut: true }];
    },
  };
}

function resetFrame(content: string): StreamFrame {
  return frame('message_reset', { content });
}

function toErrorData(error: AppError): Record<string, unknown> {
  return { code: error.code, error_type: error.errorType, message: error.message };
}

/**
 * Tracks the committed text of a turn: complete replies, plus the part of the open reply that the reader had on
 * arrival. The rest of the open reply is not stored here: it was sent, and a crash would discard it.
 */
function createTextKeeper() {
  let whole: string[] = [];
  let held = '';
  let isOpen = false;
  const close = () => {
    held = '';
    isOpen = false;
  };
  return {
    take(event: Event) {
      if (event.type === 'text-delta') isOpen = true;
      if (event.type === 'turn-start') whole = [];
      if (event.type === 'step-end' && event.message && isOpen) whole.push(event.message.content);
      if (['turn-start', 'turn-resume', 'step-end'].includes(event.type)) close();
    },
    hold(text: string) {
      held += text;
    },
    hasOpen: () => isOpen,
    standing: () => whole.join('') + held,
  };
}

/** `agent`: who speaks, in a team. */
function toRestFrames(event: Event, conversationId: string, agent: string | undefined): StreamFrame[] {
  switch (event.type) {
    case 'turn-start':
      return [frame('stream_start', startData(event, conversationId))];
    case 'routing':
      return [frame('routing', event.decision)];
    case 'file':
      return [frame('file', event.file)];
    case 'reasoning-delta':
      return [frame('reasoning_delta', { delta: event.text })];
    case 'text-delta':
      return [frame('message_delta', { delta: event.text, ...(agent && { agent }) })];
    case 'tool-call-start': {
      const { id, name, arguments: args } = event.call;
      return [
        frame('tool_call_start', { call_id: id, name }),
        frame('tool_call_args', { call_id: id, arguments: sanitizeJson(args) }),
      ];
    }
    case 'tool-call-wait':
      if (event.wait.kind === 'client') return [];
      if (event.wait.kind === 'input') {
        const { question: message, schema } = event.wait;
        return [frame('question', { call_id: event.call_id, name: event.tool, message, ...(schema && { schema }) })];
      }
      return [
        frame('approval_request', {
          call_id: event.call_id,
          name: event.tool,
          arguments: sanitizeJson(event.wait.sent_arguments),
          ...(event.wait.names && { names: event.wait.names }),
          ...(event.agent && { agent: event.agent }),
        }),
      ];
    case 'delegation': {
      const { call_id, agent, turn_id, remote, open } = event;
      return [frame('delegation', { call_id, agent, turn_id, ...(remote && { remote }), ...(open && { open }) })];
    }
    case 'tool-call-end':
      return [frame('tool_call_end', { call_id: event.call.id, ...toRestCall(event.call) })];
    case 'annotation':
      return [frame('annotation', { checks: event.checks, ...(event.citations && { citations: event.citations }) })];
    case 'file-progress':
      return [frame('file_progress', { filename: event.filename, text: event.text })];
    case 'tool-call-progress':
      return [frame('tool_call_progress', { call_id: event.call_id, text: event.text })];
    case 'notice':
      return [frame('notice', { text: event.text })];
    case 'hand-over': {
      const { call_id, from, to, reason } = event;
      return [frame('hand_over', { call_id, from, to, reason })];
    }
    case 'turn-wait':
      return [frame('stream_end', { ...toChatResponse(event.result, conversationId) })];
    case 'turn-end': {
      const response = toChatResponse(event.result, conversationId);
      return [frame(event.result.status === 'error' ? 'error' : 'stream_end', { ...response })];
    }
    case 'turn-resume':
    case 'step-start':
    case 'step-end':
    case 'intent':
    case 'tool-call-delta':
    case 'tool-call-run':
    case 'turn-interrupt':
      return [];
  }
}

function startData({ turn_id, replaces }: EventOf<'turn-start'>, session_id: string): Record<string, unknown> {
  return { session_id, turn_id, ...(replaces && { replaces }) };
}

/** The whole turn as a REST response. */
export function toChatResponse(result: TurnResult, conversationId: string): ChatResponse {
  const { messages } = result;
  // A caller can send a failed message again by its id.
  const shown = messages.findLast(({ role }) => role === 'assistant') ?? messages.at(0);
  return {
    ...(shown && { message_id: shown.id }),
    session_id: conversationId,
    ...result,
    messages: result.messages.map(toRestMessage),
    tool_calls: result.tool_calls.map(toRestCall),
  };
}

/** A message without terminal sequences in the arguments of its calls. */
export function toRestMessage(message: Message): Message {
  if (message.role !== 'assistant' || !message.tool_calls) return message;
  return { ...message, tool_calls: message.tool_calls.map((call) => ({ ...call, ...shownArguments(call) })) };
}

/** A model may have copied terminal sequences or invisible characters into arguments; readers must see them. */
function shownArguments({ arguments: own, sent_arguments: sent }: Pick<ToolCall, 'arguments' | 'sent_arguments'>) {
  // A sanitized object stays an object.
  return {
    arguments: sanitizeJson(own) as JsonObject,
    ...(sent && { sent_arguments: sanitizeJson(sent) as JsonObject }),
  };
}

export function toRestCall(call: ToolCall): RestToolCall {
  const ended = call.state === 'completed' ? 'success' : 'error';
  return { ...call, ...shownArguments(call), status: isEnded(call.state) ? ended : 'waiting' };
}

/** The type is repeated in the data because many clients see nothing else of an event. */
function frame(name: RestEventType, data: Record<string, unknown>): StreamFrame {
  return { name, data: { type: name, ...data } };
}
