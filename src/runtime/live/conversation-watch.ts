import { titleOf } from '../../schema/conversation/conversation.ts';
import type { User } from '../../schema/user.ts';
import type { ListedConversation, Page, Store } from '../../store/store.ts';

/** A change in a user's list of conversations. */
export type ConversationChange =
  | { type: 'created' | 'updated'; conversation: ListedConversation }
  | { type: 'deleted'; id: string };

export interface ConversationWatchOptions {
  store: Pick<Store, 'changeMark' | 'readConversation'>;
  list(user: User, page: Page): Promise<ListedConversation[]>;
}

export interface ConversationWatch {
  /** Resolves when every later change will be sent; the changes end with the signal. */
  watch(user: User, signal: AbortSignal): Promise<AsyncGenerator<ConversationChange, void>>;
  close(): void;
}

/** The store is asked this often whether anything has changed, by this process or another one. */
const CHECK_EVERY_MS = 300;
/** Older conversations change only when somebody opens them, and then they are among the newest. */
const WATCHED = 200;

/** A user's list as it was sent last, and the clients that watch it. */
interface Channel {
  user: User;
  known: Map<string, string>;
  newestId: string;
  readers: Set<(change: ConversationChange) => void>;
}

/** Watches lists by comparing them with the store. One channel per user, whatever the number of clients. */
export function createConversationWatch({ store, list }: ConversationWatchOptions): ConversationWatch {
  const channels = new Map<string, Promise<Channel>>();
  let timer: NodeJS.Timeout | undefined;
  let mark = 0;
  let isClosed = false;

  const openChannel = async (user: User): Promise<Channel> => {
    const listed = await list(user, { limit: WATCHED });
    const newestId = listed.reduce((newest, { id }) => (id > newest ? id : newest), '');
    return { user, known: new Map(listed.map((one) => [one.id, fingerprint(one)])), newestId, readers: new Set() };
  };
  const compare = async (channel: Channel): Promise<void> => {
    const { user, known, readers } = channel;
    const listed = await list(user, { limit: WATCHED });
    const missing = new Set(known.keys());
    const send = (change: ConversationChange) => {
      for (const reader of readers) reader(change);
    };
    for (const conversation of listed) {
      const { id } = conversation;
      missing.delete(id);
      const now = fingerprint(conversation);
      if (known.get(id) === now) continue;
      const isNew = !known.has(id) && id > channel.newestId;
      known.set(id, now);
      send({ type: isNew ? 'created' : 'updated', conversation });
      if (isNew) channel.newestId = id;
    }
    for (const id of missing) {
      // An older conversation is forgotten here, or each later check would read all that ever were.
      known.delete(id);
      if (!(await store.readConversation(user, id))) send({ type: 'deleted', id });
    }
  };
  const check = async (): Promise<void> => {
    const now = await store.changeMark();
    if (now === mark) return;
    mark = now;
    for (const opened of channels.values()) await compare(await opened);
  };
  const schedule = () => {
    timer ??= setTimeout(() => {
      check()
        // A store that cannot be read now is asked again.
        .catch(() => {
          mark = 0;
        })
        .finally(() => {
          timer = undefined;
          if (channels.size > 0 && !isClosed) schedule();
        });
    }, CHECK_EVERY_MS).unref();
  };

  return {
    async watch(user, signal) {
      const opening = channels.get(user.id) ?? openChannel(user);
      channels.set(user.id, opening);
      const channel = await opening.catch((error: unknown) => {
        channels.delete(user.id);
        throw error;
      });
      schedule();
      return readChannel(channel, signal, () => {
        if (channel.readers.size === 0 && channels.get(user.id) === opening) channels.delete(user.id);
      });
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      channels.clear();
    },
  };
}

/** Changes of one conversation that a slow reader has not taken yet become one. */
function readChannel(
  channel: Channel,
  signal: AbortSignal,
  onEnd: () => void,
): AsyncGenerator<ConversationChange, void> {
  const waiting = new Map<string, ConversationChange>();
  let wake = () => {};
  const take = (change: ConversationChange) => {
    const id = change.type === 'deleted' ? change.id : change.conversation.id;
    const isStillNew = change.type === 'updated' && waiting.get(id)?.type === 'created';
    waiting.set(id, isStillNew ? { ...change, type: 'created' } : change);
    wake();
  };
  channel.readers.add(take);
  const end = () => {
    channel.readers.delete(take);
    onEnd();
    wake();
  };
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  return (async function* () {
    while (!signal.aborted) {
      const [next] = waiting;
      if (next) {
        waiting.delete(next[0]);
        yield next[1];
        continue;
      }
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  })();
}

/** Any request counts as activity and changes nothing that a list shows. */
function fingerprint(conversation: ListedConversation): string {
  const { pinned, status, last_updated, message_count } = conversation;
  return JSON.stringify([titleOf(conversation), pinned, status, last_updated, message_count]);
}
