import type { TurnState } from '../agent/turn-state.ts';
import type { CallAnswer, Event } from '../schema/conversation/event.ts';
import type { ToolCall } from '../schema/conversation/tool-call.ts';
import type { User } from '../schema/user.ts';
import type { AuditRecord, TurnLease } from '../store/store.ts';

type Turn = Pick<TurnLease, 'turnId' | 'conversationId'>;

/** Returns the audit records of an event: each ended call, and each argument of the model that was overridden. */
export function auditOf(event: Event, user: User, turn?: Turn): AuditRecord[] {
  const ofTurn = turn && { conversation_id: turn.conversationId, turn_id: turn.turnId };
  const place = { at: event.at, user_id: user.id, ...ofTurn };
  if (event.type === 'tool-call-run' && event.overridden.length > 0) {
    const outcome = `replaced ${event.overridden.join(', ')}`;
    const tool = event.tool;
    return [{ ...place, call_id: event.call_id, tool, action: 'override', arguments: event.sent_arguments, outcome }];
  }
  if (event.type !== 'tool-call-end') return [];
  const { call } = event;
  return [
    {
      ...place,
      call_id: call.id,
      tool: call.name,
      action: 'call',
      arguments: call.sent_arguments ?? call.arguments,
      outcome: outcomeOf(call),
      ...(call.duration_ms !== undefined && { duration_ms: call.duration_ms }),
    },
  ];
}

function outcomeOf({ state, error, repeats }: ToolCall): string {
  if (repeats) return `not run again: the outcome of ${repeats}`;
  return error ? `${state}: ${error.error_type}` : state;
}

/** Returns an audit record for each approval and denial, with the arguments that were decided on. */
export function auditOfAnswers(
  answers: readonly CallAnswer[],
  state: TurnState,
  user: User,
  at: string,
): AuditRecord[] {
  return answers.flatMap((answer) => {
    const call = state.calls.find((candidate) => candidate.id === answer.call_id);
    if (!call || !('approved' in answer)) return [];
    const wait = state.waits.get(call.id);
    return [
      {
        at,
        user_id: user.id,
        conversation_id: state.conversationId,
        turn_id: state.turnId,
        call_id: call.id,
        tool: call.name,
        action: answer.approved ? 'approval' : 'denial',
        arguments: wait?.kind === 'approval' ? wait.sent_arguments : call.arguments,
        outcome: answer.reason ?? (answer.approved ? 'approved' : 'denied'),
      },
    ];
  });
}
