import type { Message } from '../../schema/conversation/message.ts';

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
      return { id, role: 'assistant', content, ...(toolCalls && { toolCalls }) };
    }
  }
}
