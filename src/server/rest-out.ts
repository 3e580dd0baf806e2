import type { ChatResponse, RestToolCall } from '../schema/chat.ts';
import type { Event } from '../schema/event.ts';
import type { ToolCall } from '../schema/tool-call.ts';
import type { TurnResult } from '../schema/turn.ts';
import type { SseFrame } from './sse.ts';

/** One event as REST's stream tells it: usually one frame, sometimes none or two. */
export function toRestFrames(event: Event, conversationId: string): SseFrame[] {
  switch (event.type) {
    case 'turn-start':
      return [frame('stream_start', { session_id: conversationId, turn_id: event.turn_id })];
    case 'turn-resume':
      return [frame('message_reset', { content: '' })];
    case 'routing':
      return [frame('routing', event.decision)];
    case 'file':
      return [frame('file', event.file)];
    case 'reasoning-delta':
      return [frame('reasoning_delta', { delta: event.text })];
    case 'text-delta':
      return [frame('message_delta', { delta: event.text })];
    case 'tool-call-start': {
      const { id, name } = event.call;
      const args = { call_id: id, arguments: event.call.arguments };
      return [frame('tool_call_start', { call_id: id, name }), frame('tool_call_args', args)];
    }
    case 'tool-call-wait':
      if (event.wait.kind !== 'approval') return [];
      return [frame('approval_request', { call_id: event.call_id, arguments: event.wait.sent_arguments })];
    case 'tool-call-end':
      return [frame('tool_call_end', toRestCall(event.call))];
    case 'turn-wait':
      return [frame('stream_end', toChatResponse(event.result, conversationId))];
    case 'turn-end': {
      const response = toChatResponse(event.result, conversationId);
      return [frame(event.result.status === 'error' ? 'error' : 'stream_end', response)];
    }
    case 'step-start':
    case 'step-end':
    case 'intent':
    case 'tool-call-run':
    case 'tool-call-progress':
    case 'annotation':
    case 'notice':
    case 'turn-interrupt':
      return [];
  }
}

/** The whole turn as REST answers it. */
export function toChatResponse(result: TurnResult, conversationId: string): ChatResponse {
  const answer = result.messages.findLast((message) => message.role === 'assistant') ?? result.messages[0];
  return {
    message_id: answer?.id ?? '',
    session_id: conversationId,
    ...result,
    tool_calls: result.tool_calls.map(toRestCall),
  };
}

function toRestCall(call: ToolCall): RestToolCall {
  return { ...call, status: call.state === 'completed' ? 'success' : 'error' };
}

function frame(event: string, data: unknown): SseFrame {
  return { event, data };
}
