import type { EventBody } from '../../schema/conversation/event.ts';
import type { ToolCall } from '../../schema/conversation/tool-call.ts';
import { isObject, type JsonObject } from '../../schema/json.ts';
import type { User } from '../../schema/user.ts';
import type { Store, TurnLease, TurnWrite } from '../../store/store.ts';

interface Memory {
  store: Store;
  user: User;
  lease: TurnLease;
}

/**
 * Metadata for the conversation from the calls of a turn that ends or waits: the domains that returned data, in order
 * of first use, and the spaces' conversation ids. Only calls of this journal count, never the text of a message.
 */
export async function rememberCalls(
  { store, user, lease }: Memory,
  bodies: readonly EventBody[],
): Promise<Pick<TurnWrite, 'metadata'>> {
  const calls = bodies.flatMap(callsOf).filter(({ state }) => state === 'completed');
  const domains = calls.flatMap(({ domain }) => domain ?? []);
  if (domains.length === 0) return {};
  const known: JsonObject = (await store.readConversation(user, lease.conversationId))?.metadata ?? {};
  const before = Array.isArray(known.domains_accessed) ? known.domains_accessed : [];
  const spaces: JsonObject = isObject(known.spaces) ? { ...known.spaces } : {};
  const { spaceConversationOf } = await import('../../routing/ask/space-conversations.ts');
  for (const call of calls) {
    const id = spaceConversationOf(call);
    if (id !== undefined) spaces[call.name] = id;
  }
  return {
    metadata: {
      domains_accessed: [...new Set([...before, ...domains])],
      ...(Object.keys(spaces).length > 0 && { spaces }),
    },
  };
}

function callsOf(body: EventBody): readonly ToolCall[] {
  return body.type === 'turn-end' || body.type === 'turn-wait' ? body.result.tool_calls : [];
}
