import type { EventOf } from '../../schema/conversation/event.ts';
import type { ToolMessage } from '../../schema/conversation/message.ts';
import type { ToolCall } from '../../schema/conversation/tool-call.ts';
import type { StreamFrame } from '../stream/translator.ts';
import { aguiFrame, customFrame } from './agui-frame.ts';

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
