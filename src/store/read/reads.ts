import { readConversationsFrom } from './conversations.ts';
import { readMessagesFrom } from './messages.ts';
import type { Query } from './query.ts';
import { readTurnsFrom, type TurnReadOptions } from './turns.ts';

/** The reading methods that the SQL stores have in common. */
export type Reads = ReturnType<typeof readsFrom>;

export function readsFrom(query: Query, options: TurnReadOptions) {
  const turns = readTurnsFrom(query, options);
  return { ...turns, ...readConversationsFrom(query), ...readMessagesFrom(query, turns.listTurns) };
}
