import type { EventBody } from '../schema/conversation/event.ts';
import type { ToolCall, ToolError } from '../schema/conversation/tool-call.ts';
import { failCall } from '../tools/run-call.ts';
import { sanitizeText } from '../tools/sanitize.ts';
import type { RunningTurn } from './running-turn.ts';

const NOT_ALONE: ToolError = {
  error_type: 'ToolInvocationError',
  message:
    'The conversation was not handed over, because this reply has other calls. Read their results, then hand over alone.',
};

/** Ends the call that hands the conversation over, with the hand-over in the same write. Beside other calls it fails. */
export function handOver({ state, deps }: RunningTurn, call: ToolCall, to: string): EventBody | EventBody[] {
  const message_id = deps.ids.ulid();
  const reply = state.messages.findLast(({ role }) => role === 'assistant');
  const isAlone = reply?.role === 'assistant' && reply.tool_calls?.length === 1;
  if (!isAlone || !deps.team) return { type: 'tool-call-end', call: failCall(call, NOT_ALONE, deps.clock), message_id };
  const at = deps.clock.date().toISOString();
  const time = { started_at: at, completed_at: at, duration_ms: 0 };
  const result = `${to} has the conversation now.`;
  const reason = sanitizeText(String(call.arguments.reason));
  return [
    // Read-only: another answer to the same message decides again.
    {
      type: 'tool-call-end',
      call: { ...call, state: 'completed', result, read_only: true, handed_over_to: to, ...time },
      message_id,
    },
    { type: 'hand-over', call_id: call.id, from: deps.team.speaker, to, reason },
  ];
}
