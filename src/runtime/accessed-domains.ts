import type { EventBody } from '../schema/event.ts';
import type { User } from '../schema/user.ts';
import type { Store, TurnLease, TurnWrite } from '../store/store.ts';

/** The domains that have given an ended turn data. */
export function domainsOf(bodies: readonly EventBody[]): string[] {
  return bodies.flatMap((body) => {
    if (body.type !== 'turn-end') return [];
    return body.result.tool_calls.flatMap(({ domain, state }) => (domain && state === 'completed' ? [domain] : []));
  });
}

/** What the conversation then remembers: all domains so far, in the order of their first time. */
export async function rememberDomains(
  { store, user, lease }: { store: Store; user: User; lease: TurnLease },
  domains: readonly string[],
): Promise<Pick<TurnWrite, 'metadata'>> {
  const known = (await store.readConversation(user, lease.conversationId))?.metadata.domains_accessed;
  const before = Array.isArray(known) ? known : [];
  return { metadata: { domains_accessed: [...new Set([...before, ...domains])] } };
}
