import { isProblem } from '../api/api.ts';
import type { Session, TurnPage } from '../api/shapes.ts';
import { tabVisibility, waitForNetwork } from '../reader/browser-events.ts';
import { PageAgent } from '../reader/page-agent.ts';
import { applyEvent } from '../state/apply-event.ts';
import { type Conversation, createConversation } from '../state/conversation.ts';
import { describeError, type PageDeps } from '../state/deps.ts';
import { mergeTurns } from '../state/merge-turns.ts';

const FIRST_TURNS = 50;
const REOPEN_MS = 1_000;

/** Reads the conversation on screen; at most one at a time. */
export interface ConversationReader {
  /** Follows a conversation; undefined = none. */
  follow(id: string | undefined): void;
  readEarlier(): Promise<void>;
  /** Reads the newest turn again: times, domains and feedback that the stream does not carry. */
  settle(): Promise<void>;
}

export function createConversationReader(deps: PageDeps): ConversationReader {
  const { api, store } = deps;
  let current: { id: string; agent: PageAgent } | undefined;
  const change = (id: string, next: (conversation: Conversation) => Conversation) =>
    store.update((state) =>
      state.conversation.id === id ? { ...state, conversation: next(state.conversation) } : state,
    );
  const settle = async () => {
    const { id } = store.get().conversation;
    if (!id) return;
    const page = await api.read<TurnPage>(`/sessions/${id}/turns?limit=1`);
    change(id, (conversation) => {
      const { before } = conversation;
      const { before: _before, ...merged } = mergeTurns(conversation, page);
      return {
        ...merged,
        ...(before && { before }),
        order: conversation.order.length > 0 ? conversation.order : merged.order,
      };
    });
  };
  const open = (id: string) => {
    const agent = new PageAgent({
      url: '/awp',
      threadId: id,
      open: (lastId, signal) =>
        api.open(`/sessions/${id}/events?format=ag-ui&follow=1`, {
          headers: { accept: 'text/event-stream', ...(lastId && { 'last-event-id': lastId }) },
          signal,
        }),
      onOpen(isFirst) {
        if (isFirst) readFirst(deps, id).catch((error: unknown) => change(id, (c) => failed(c, error)));
      },
      onLine: (line) => store.update((state) => (state.line === line ? state : { ...state, line })),
      onRefused: (problem) => change(id, (conversation) => failed(conversation, problem)),
      wait: waitForNetwork,
      visibility: tabVisibility,
      onEvent(event) {
        change(id, (conversation) => applyEvent(conversation, event));
        if (event.type === 'RUN_FINISHED' || event.type === 'RUN_ERROR') void settle().catch(() => undefined);
      },
    });
    current = { id, agent };
    agent.connectAgent().catch((error: unknown) => {
      if (current?.agent !== agent) return;
      change(id, (conversation) => failed(conversation, error));
      // Events in a wrong order cannot be continued; a fresh stream begins with the whole newest turn.
      setTimeout(() => current?.agent === agent && restart(id), REOPEN_MS);
    });
  };
  const close = () => {
    void current?.agent.detachActiveRun();
    current = undefined;
  };
  const restart = (id: string) => {
    close();
    change(id, ({ agent }) => createConversation(agent, id));
    open(id);
  };
  return {
    follow(id) {
      close();
      if (id) open(id);
    },
    async readEarlier() {
      const { id, before } = store.get().conversation;
      if (!id || !before) return;
      const page = await api.read<TurnPage>(`/sessions/${id}/turns?limit=${FIRST_TURNS}&before=${before}`);
      change(id, (conversation) => mergeTurns(conversation, page));
    },
    settle,
  };
}

/** The turns and the agent arrive together: the next message needs the agent. */
async function readFirst({ api, store }: PageDeps, id: string): Promise<void> {
  const [session, page] = await Promise.all([
    api.read<Session>(`/sessions/${id}?last=1`),
    api.read<TurnPage>(`/sessions/${id}/turns?limit=${FIRST_TURNS}`),
  ]);
  store.update((state) => {
    if (state.conversation.id !== id) return state;
    return { ...state, conversation: { ...mergeTurns(state.conversation, page), agent: session.agent } };
  });
}

function failed(conversation: Conversation, error: unknown): Conversation {
  if (isProblem(error, 401)) return conversation;
  if (isProblem(error, 404, 410, 422)) return { ...conversation, state: 'missing' };
  return { ...conversation, state: conversation.state === 'ready' ? 'ready' : 'failed', problem: describeError(error) };
}
