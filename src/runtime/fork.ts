import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { Ids } from '../ids.ts';
import { type Conversation, titleOf } from '../schema/conversation/conversation.ts';
import type { Message } from '../schema/conversation/message.ts';
import type { User } from '../schema/user.ts';
import type { NewConversation, Store, StoredAttachment } from '../store/store.ts';
import { conversationNotFound } from './turn/turn-errors.ts';

export interface ForkInput {
  conversationId: string;
  /** The id of the last message that is copied. */
  after: string;
}

/**
 * Makes a new conversation of copies of the messages up to one of them, with their files. Keys, the thread, open calls,
 * approvals and the spaces' own conversations stay behind.
 */
export async function forkConversation(
  { store, clock, ids }: { store: Store; clock: Clock; ids: Ids },
  user: User,
  { conversationId, after }: ForkInput,
): Promise<Conversation> {
  const source = await store.readConversation(user, conversationId);
  if (!source) throw conversationNotFound();
  const turn = await store.readTurnOfMessage(user, conversationId, after);
  if (!turn) throw new AppError('not_found', { detail: 'This conversation has no message of this id.' });
  const path = await store.readPath(user, turn.id);
  // Deleted in the meantime.
  if (path.length === 0) throw conversationNotFound();
  const files = await store.readAttachments(user, conversationId, { maxChars: Number.MAX_SAFE_INTEGER });
  const id = ids.ulid();
  const forked_from = { session_id: conversationId, message_id: after };
  await store.addConversation(user, {
    conversationId: id,
    agent: source.agent,
    turns: copyTurns(upTo(path, after), files, ids),
    metadata: { title: titleOf(source), forked_from },
    now: clock.date().toISOString(),
  });
  const made = await store.readConversation(user, id);
  if (!made) throw conversationNotFound();
  return made;
}

type Entry = Awaited<ReturnType<Store['readPath']>>[number];

/** The entries to a message, with the results of its calls. */
function upTo(path: readonly Entry[], after: string): Entry[] {
  const end = path.findIndex(({ message }) => message.id === after) + 1;
  const next = path.slice(end).findIndex(({ message }) => message.role !== 'tool');
  return path.slice(0, next === -1 ? undefined : end + next);
}

function copyTurns(entries: readonly Entry[], files: readonly StoredAttachment[], make: Ids): NewConversation['turns'] {
  const ended = new Set(entries.flatMap(({ message }) => (message.role === 'tool' ? [message.tool_call_id] : [])));
  return [...Map.groupBy(entries, ({ turnId }) => turnId).values()].map((ofTurn) => {
    const ids = new Map(ofTurn.map(({ message }) => [message.id, make.ulid()]));
    const messages = ofTurn.flatMap(({ message }) => copyMessage(message, ids.get(message.id) ?? make.ulid(), ended));
    const attachments = files.flatMap(({ message_id, ...file }) => {
      const copied = ids.get(message_id);
      return copied === undefined ? [] : [{ ...file, message_id: copied }];
    });
    return { turnId: make.ulid(), createdAt: ofTurn[0]?.message.timestamp ?? '', messages, attachments };
  });
}

/** A call without an outcome is left out; a message of nothing else is, too. */
function copyMessage(message: Message, id: string, ended: ReadonlySet<string>): Message[] {
  if (message.role === 'user') {
    const { client_id: _client, ...rest } = message;
    return [{ ...rest, id }];
  }
  if (message.role !== 'assistant' || !message.tool_calls) return [{ ...message, id }];
  const { tool_calls, ...rest } = message;
  const calls = tool_calls.filter((call) => ended.has(call.id));
  if (calls.length > 0) return [{ ...rest, id, tool_calls: calls }];
  return rest.content.trim() === '' ? [] : [{ ...rest, id }];
}
