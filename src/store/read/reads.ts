import { readConversationsFrom } from './conversations.ts';
import { readMessagesFrom } from './messages.ts';
import type { Query } from './query.ts';
import { readTurnsFrom, type TurnReadOptions } from './turns.ts';
import { readValuesFrom } from './values.ts';

/** The reading methods that the SQL stores have in common. */
export type Reads = ReturnType<typeof readsFrom>;

export function readsFrom(query: Query, options: TurnReadOptions) {
  const turns = readTurnsFrom(query, options);
  const messages = readMessagesFrom(query, turns.listTurns);
  return { ...turns, ...readConversationsFrom(query), ...messages, ...readValuesFrom(query) };
}
