import type { Event } from '../schema/event.ts';
import type { User } from '../schema/user.ts';
import type { AuditRecord, TurnLease } from '../store/store.ts';

/** What an event leaves in the audit: every ended call, and every value of the model's that was replaced. */
export function auditOf(event: Event, { user, lease }: { user: User; lease: TurnLease }): AuditRecord[] {
  const place = { at: event.at, user_id: user.id, conversation_id: lease.conversationId, turn_id: lease.turnId };
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
      outcome: call.error ? `${call.state}: ${call.error.error_type}` : call.state,
      ...(call.duration_ms !== undefined && { duration_ms: call.duration_ms }),
    },
  ];
}
