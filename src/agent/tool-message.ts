import type { ToolMessage } from '../schema/conversation/message.ts';
import type { ToolCall } from '../schema/conversation/tool-call.ts';
import { jsonOf } from '../tools/bound-output.ts';
import { cutText } from '../tools/sanitize.ts';

/** The outcome of an ended call as the model reads it, cut to `maxChars`. */
export function toolMessage(call: ToolCall, id: string, maxChars: number): ToolMessage {
  return {
    id,
    role: 'tool',
    tool_call_id: call.id,
    content: cut(call, maxChars),
    timestamp: call.completed_at ?? call.started_at ?? new Date(0).toISOString(),
    metadata: {
      tool: call.name,
      state: call.state,
      ...(call.handed_over_to && { handed_over_to: call.handed_over_to }),
    },
  };
}

/** The note at the cut explains how to read the rest with the `read_output` tool. */
function cut(call: ToolCall, maxChars: number): string {
  return cutText(outcomeText(call), maxChars, (kept, total) => {
    const where = `call_id ${call.id}, offset ${kept}`;
    return `\n[${total - kept} of ${total} characters left out; continue with read_output: ${where}]`;
  });
}

/** The complete outcome as text. */
export function outcomeText({ error, result = null }: ToolCall): string {
  if (error) return `{"error":${jsonOf(error)}}`;
  return typeof result === 'string' ? result : jsonOf(result);
}
