import type { Boot, Rating, Session } from '../api/shapes.ts';
import { createConversation } from '../state/conversation.ts';
import { describeError, type PageDeps } from '../state/deps.ts';
import { currentAgent, type PageState } from '../state/page-state.ts';
import type { Place, Side } from '../state/place.ts';
import { answerOf, type Turn } from '../state/turn.ts';
import { createEntry } from './entry.ts';
import { createConversationReader } from './open-conversation.ts';
import { createSending, type Sending } from './sending.ts';
import { createSessionList, type SessionListActions } from './session-list.ts';

/** Everything that a person can do on the page. */
export interface Actions extends Sending {
  list: SessionListActions;
  /** The token is one that a link has brought. */
  start(boot: Boot, token?: string): Promise<void>;
  signIn(token: string): Promise<void>;
  signOut(): void;
  /** Signs in by the token of a link; asks first if it is that of another user. */
  offer(token: string): Promise<void>;
  answerOffer(isTaken: boolean): Promise<void>;
  openConversation(id: string): void;
  newConversation(agent?: string): void;
  readEarlier(): Promise<void>;
  showSide(side: Side | undefined, at?: string): void;
  /** Follows the address after Back or Forward. */
  goTo(place: Place): void;
  rate(turn: Turn, rating: Rating): Promise<void>;
  fork(turn: Turn): Promise<void>;
  exportSession(id: string, format: 'md' | 'json'): Promise<void>;
  set(change: Partial<Pick<PageState, 'isListOpen' | 'isHelpOpen'>>): void;
  notify(text: string, isProblem?: boolean): void;
  /** Runs an action and shows its failure. */
  attempt(action: () => Promise<unknown>): Promise<void>;
}

export function createActions(deps: PageDeps): Actions {
  const { store } = deps;
  const reader = createConversationReader(deps);
  const list = createSessionList(deps, (id, isOwn) => {
    const { conversation } = store.get();
    if (conversation.id !== id) return;
    if (isOwn) open(undefined, conversation.agent, 'replace');
    else show(deps, { ...conversation, state: 'missing' });
  });
  const sending = createSending(deps, ({ session_id: id }) => {
    if (store.get().place.conversation === id) return;
    moveTo(deps, { ...store.get().place, conversation: id }, 'replace');
    reader.follow(id);
  });
  const open = (id: string | undefined, agent: string, how: 'push' | 'replace' | 'stay', side: Place = {}) => {
    show(deps, createConversation(agent, id));
    if (how !== 'stay') moveTo(deps, { ...(agent && { agent }), ...(id && { conversation: id }), ...side }, how);
    store.update((state) => ({ ...state, isListOpen: false }));
    reader.follow(id);
  };
  const agentOf = (id: string) =>
    store.get().list.sessions.find((session) => session.session_id === id)?.agent ?? store.get().place.agent ?? '';
  const small = createSmallActions(deps);
  const entry = createEntry(deps, {
    list,
    notify: small.notify,
    onIn() {
      const { place, conversation } = store.get();
      const isSame = place.conversation !== undefined && place.conversation === conversation.id;
      open(place.conversation, isSame ? conversation.agent : (place.agent ?? ''), 'stay');
    },
    onOut: () => open(undefined, '', 'replace'),
  });
  return {
    ...sending,
    ...small,
    ...entry,
    list,
    openConversation: (id) => open(id, agentOf(id), 'push'),
    newConversation: (agent) => open(undefined, agent ?? currentAgent(store.get())?.name ?? '', 'push'),
    readEarlier: reader.readEarlier,
    goTo(place) {
      const isOther = place.conversation !== store.get().conversation.id;
      store.update((state) => ({ ...state, place }));
      if (isOther) open(place.conversation, place.agent ?? '', 'stay');
    },
    async fork(turn) {
      const after = turn.facts.message_id ?? answerOf(turn)?.id;
      const { id } = store.get().conversation;
      const session = await deps.api.read<Session>(`/sessions/${id}/fork`, { json: { after } });
      open(session.session_id, session.agent, 'push');
    },
  };
}

function show({ store }: PageDeps, conversation: PageState['conversation']): void {
  store.update((state) => ({ ...state, conversation }));
}

function moveTo({ store, showPlace }: PageDeps, place: Place, how: 'push' | 'replace'): void {
  store.update((state) => ({ ...state, place }));
  showPlace(place, how);
}

function createSmallActions(deps: PageDeps) {
  const { api, store } = deps;
  const notify = (text: string, isProblem = false) => {
    const toast = { text, isProblem };
    store.update((state) => ({ ...state, toast }));
    setTimeout(() => {
      store.update(({ toast: shown, ...state }) =>
        shown === toast ? state : { ...state, ...(shown && { toast: shown }) },
      );
    }, 6_000);
  };
  return {
    notify,
    async attempt(action: () => Promise<unknown>) {
      await action().catch((error: unknown) => notify(describeError(error), true));
    },
    set: (change: Partial<PageState>) => store.update((state) => ({ ...state, ...change })),
    showSide(side: Side | undefined, at?: string) {
      const { side: _side, at: _at, ...place } = store.get().place;
      moveTo(deps, { ...place, ...(side && { side }), ...(side && at && { at }) }, 'replace');
    },
    async exportSession(id: string, format: 'md' | 'json') {
      const response = await api.open(`/sessions/${id}/export?format=${format}`);
      saveFile(await response.blob(), `conversation-${id}.${format}`);
    },
    async rate(turn: Turn, rating: Rating) {
      const { id } = store.get().conversation;
      const message = turn.facts.message_id ?? answerOf(turn)?.id;
      await api.read(`/sessions/${id}/messages/${message}/feedback`, { method: 'PUT', json: { rating } });
      store.update((state) => {
        const { turns } = state.conversation;
        const rated = { ...(turns[turn.id] ?? turn), feedback: { rating } };
        return { ...state, conversation: { ...state.conversation, turns: { ...turns, [turn.id]: rated } } };
      });
    },
  };
}

/** Offers bytes as a download. A plain link could not carry the user's token. */
function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1_000);
}
