import type { User } from '../../schema/user.ts';
import type {
  ConversationChanges,
  FoundConversation,
  ListedConversation,
  Page,
  SearchPage,
  Store,
} from '../../store/store.ts';
import { type ConversationChange, createConversationWatch } from './conversation-watch.ts';
import type { Turns } from './turns.ts';

/** The list of a user's conversations: read, searched, changed, and watched by clients that stay. */
export interface ConversationList {
  listConversations(user: User, page: Page & { agent?: string }): Promise<ListedConversation[]>;
  searchConversations(user: User, page: SearchPage): Promise<FoundConversation[]>;
  /** Sets the user's own title (null removes it) and mark; undefined when there is no such conversation. */
  updateConversation(user: User, id: string, changes: ConversationChanges): Promise<ListedConversation | undefined>;
  /** A conversation as lists show it. */
  describeConversation(user: User, id: string): Promise<ListedConversation | undefined>;
  /** Resolves when every later change will be sent; the changes end with the signal. */
  watchConversations(user: User, signal: AbortSignal): Promise<AsyncGenerator<ConversationChange, void>>;
}

export function createConversationList(store: Store, turns: Turns): ConversationList & { close(): void } {
  /** A turn that asks a question keeps running in the store. */
  const shown = <Listed extends ListedConversation>(user: User, listed: Listed): Listed =>
    turns.findByConversation(user, listed.id)?.isPaused() ? { ...listed, status: 'waiting' } : listed;
  const listConversations: ConversationList['listConversations'] = async (user, page) =>
    (await store.listConversations(user, page)).map((one) => shown(user, one));
  const describeConversation: ConversationList['describeConversation'] = async (user, id) => {
    const conversation = await store.readConversation(user, id);
    if (!conversation) return undefined;
    const turn = await store.readNewestTurn(user, id);
    return shown(user, { ...conversation, status: turn?.status ?? null });
  };
  const watch = createConversationWatch({ store, list: listConversations });
  return {
    listConversations,
    describeConversation,
    searchConversations: async (user, page) =>
      (await store.searchConversations(user, page)).map((one) => shown(user, one)),
    updateConversation: async (user, id, changes) =>
      (await store.updateConversation(user, id, changes)) ? describeConversation(user, id) : undefined,
    watchConversations: watch.watch,
    close: watch.close,
  };
}
