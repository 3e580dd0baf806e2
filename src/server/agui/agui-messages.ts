import type { EventOf } from '../../schema/conversation/event.ts';
import type { Message, ToolMessage } from '../../schema/conversation/message.ts';
import type { ToolCall } from '../../schema/conversation/tool-call.ts';
import type { StreamFrame } from '../stream/translator.ts';
import { aguiFrame, customFrame } from './agui-open-parts.ts';

/** A stored message in AG-UI's shape. */
export function toAguiMessage(message: Message): Record<string, unknown> {
  const { id, content } = message;
  switch (message.role) {
    case 'user':
      return { id: message.client_id ?? id, role: 'user', content };
    case 'system':
      return { id, role: 'system', content };
    case 'tool':
      return { id, role: 'tool', content, toolCallId: message.tool_call_id };
    case 'assistant': {
      const toolCalls = message.tool_calls?.map((call) => ({
        id: call.id,
        type: 'function',
        function: { name: call.name, arguments: JSON.stringify(call.arguments) },
      }));
      const { agent: name } = message.metadata;
      return { id, role: 'assistant', ...(name && { name }), content, ...(toolCalls && { toolCalls }) };
    }
  }
}

/** A whole call. */
export function callFrames({ call, message_id }: EventOf<'tool-call-start'>): StreamFrame[] {
  const toolCallId = call.id;
  const parent = message_id ? { parentMessageId: message_id } : {};
  return [
    aguiFrame('TOOL_CALL_START', { toolCallId, toolCallName: call.name, ...parent }),
    aguiFrame('TOOL_CALL_ARGS', { toolCallId, delta: JSON.stringify(call.arguments) }),
    aguiFrame('TOOL_CALL_END', { toolCallId }),
  ];
}

/** A result, as text, which older clients understand too. */
export function resultFrames(call: ToolCall, { id: messageId, content }: ToolMessage): StreamFrame[] {
  return [aguiFrame('TOOL_CALL_RESULT', { messageId, toolCallId: call.id, content, role: 'tool' }), timeFrame(call)];
}

/** AG-UI's own events have no place for times and domains, and clients drop fields that they do not know. */
function timeFrame({ id: call_id, state, domain, started_at, duration_ms }: ToolCall): StreamFrame {
  return customFrame('tool_time', {
    call_id,
    state,
    ...(domain !== undefined && { domain }),
    ...(started_at !== undefined && { started_at }),
    ...(duration_ms !== undefined && { duration_ms }),
  });
}

/** Clients before version 1 know no subagents. */
interface Reader {
  isOld?: boolean;
}

/** A member begins or continues its work, or waits: its own events are those of its conversation. Or it takes over. */
export function memberFrames(event: EventOf<'delegation' | 'hand-over'>, { isOld }: Reader): StreamFrame[] {
  if (event.type === 'hand-over') {
    const { call_id, from, to, reason } = event;
    return [customFrame('hand_over', { call_id, from, to, reason })];
  }
  const { call_id, agent, turn_id, open } = event;
  const subagentRunId = turn_id;
  if (isOld) return [];
  if (!open) return [aguiFrame('SUBAGENT_STARTED', { subagentRunId, name: agent, parentToolCallId: call_id })];
  return [aguiFrame('SUBAGENT_FINISHED', { subagentRunId, outcome: { type: 'suspended', interruptIds: [...open] } })];
}

export function memberEndFrames({ delegation, error }: ToolCall, { isOld }: Reader): StreamFrame[] {
  if (isOld || !delegation) return [];
  const subagentRunId = delegation.turn_id;
  if (error) return [aguiFrame('SUBAGENT_ERROR', { subagentRunId, message: error.message })];
  return [aguiFrame('SUBAGENT_FINISHED', { subagentRunId })];
}
