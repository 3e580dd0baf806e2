import { setTimeout as wait } from 'node:timers/promises';
import type { ToolCall } from '../../src/schema/conversation/tool-call.ts';
import type { User } from '../../src/schema/user.ts';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';

const MAX_TRIES = 500;

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
  const store = await openBeside(folder);
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

/** The server under test runs in this thread and may hold the write lock: waiting must leave it the event loop. */
async function openBeside(folder: string): Promise<Store> {
  for (let tries = 1; ; tries++) {
    try {
      return createSqliteStore({ folder, busyTimeoutMs: 1 });
    } catch (error) {
      if (tries === MAX_TRIES) throw error;
      await wait(10);
    }
  }
}
