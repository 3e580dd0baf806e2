import type { ToolMessage } from '../schema/message.ts';
import type { ToolCall } from '../schema/tool-call.ts';
import { cutText } from '../tools/sanitize.ts';

/** The outcome of an ended call as the model reads it, at most `maxChars` of it. */
export function toolMessage(call: ToolCall, id: string, maxChars: number): ToolMessage {
  return {
    id,
    role: 'tool',
    tool_call_id: call.id,
    content: cutText(outcomeText(call), maxChars),
    timestamp: call.completed_at ?? call.started_at ?? new Date(0).toISOString(),
    metadata: { tool: call.name, state: call.state },
  };
}

function outcomeText(call: ToolCall): string {
  if (call.error) return JSON.stringify({ error: call.error });
  return typeof call.result === 'string' ? call.result : JSON.stringify(call.result ?? null);
}
