import type { ToolCall } from '../../src/schema/conversation/tool-call.ts';
import type { User } from '../../src/schema/user.ts';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';

/** A conversation as the store holds it. */
export interface Stored {
  /** `role: content` of each message; tool results without their content. */
  messages: string[];
  /** Status of each turn, oldest first. */
  statuses: string[];
  /** Calls of all turns in the order in which they ended. */
  calls: ToolCall[];
}

/** Reads a conversation by a connection of its own, beside the server's. */
export async function readStored(folder: string, user: User, conversationId = ''): Promise<Stored> {
  const store = createSqliteStore({ folder });
  try {
    const turns = (await store.listTurns(user, conversationId, { limit: 100 })).reverse();
    const events = await Promise.all(turns.map(({ id }) => store.readEvents(user, id)));
    const messages = await store.readMessages(user, conversationId);
    return {
      messages: messages.map(({ role, content }) => (role === 'tool' ? role : `${role}: ${content}`)),
      statuses: turns.map(({ status }) => status),
      calls: events.flat().flatMap((event) => (event.type === 'tool-call-end' ? [event.call] : [])),
    };
  } finally {
    await store.close();
  }
}
