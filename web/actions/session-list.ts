import { isProblem } from '../api/api.ts';
import type { Session, SessionChange, SessionPage } from '../api/shapes.ts';
import { tabVisibility, waitForNetwork } from '../reader/browser-events.ts';
import { FIRST_WAIT_MS, LONGEST_WAIT_MS, readFrames } from '../reader/follow-events.ts';
import type { PageDeps } from '../state/deps.ts';
import type { SessionList } from '../state/page-state.ts';

const PAGE = 50;

export interface SessionListActions {
  read(): Promise<void>;
  readMore(): Promise<void>;
  search(query: string): Promise<void>;
  rename(id: string, title: string): Promise<void>;
  pin(id: string, pinned: boolean): Promise<void>;
  remove(id: string): Promise<void>;
  /** Keeps the list as the server has it until the signal ends it. */
  follow(signal: AbortSignal): Promise<void>;
}

export function createSessionList(deps: PageDeps, onRemoved: (id: string, isOwn: boolean) => void): SessionListActions {
  const { api, store } = deps;
  const change = (next: (list: SessionList) => SessionList) =>
    store.update((state) => ({ ...state, list: next(state.list) }));
  const read = async () => {
    const page = await api.read<SessionPage>(`/sessions?limit=${PAGE}`);
    change((list) => withPage({ ...list, sessions: [] }, page));
  };
  const fail = () => change((list) => (list.state === 'ready' ? list : { ...list, state: 'failed' }));
  const patch = async (id: string, body: object) => {
    const session = await api.read<Session>(`/sessions/${id}`, { method: 'PATCH', json: body });
    change((list) => putSession(list, session));
  };
  return {
    read,
    async readMore() {
      const { before } = store.get().list;
      if (!before) return;
      const page = await api.read<SessionPage>(`/sessions?limit=${PAGE}&before=${before}`);
      change((list) => withPage(list, page));
    },
    async search(query) {
      change(({ found: _found, ...list }) => ({ ...list, query }));
      const text = query.trim();
      if (!text) return;
      const { sessions } = await api.read<SessionPage>(`/sessions?limit=${PAGE}&q=${encodeURIComponent(text)}`);
      change((list) => (list.query === query ? { ...list, found: sessions } : list));
    },
    rename: (id, title) => patch(id, { title }),
    pin: (id, pinned) => patch(id, { pinned }),
    async remove(id) {
      await api.read(`/sessions/${id}`, { method: 'DELETE' });
      change((list) => removeSession(list, id));
      onRemoved(id, true);
    },
    async follow(signal) {
      for (let failures = 0; !signal.aborted; failures++) {
        await tabVisibility.whenVisible(signal);
        const pause = new AbortController();
        const cancelPause = tabVisibility.onLongHidden(() => pause.abort());
        try {
          const either = AbortSignal.any([signal, pause.signal]);
          const headers = { accept: 'text/event-stream' };
          const response = await api.open('/sessions/events?follow=1', { headers, signal: either });
          await read();
          failures = 0;
          await readFrames(response, ({ data }) => applyChange(data), either);
        } catch (error) {
          // The list is read again when the stream is open again.
          if (isProblem(error, 401)) return;
          if (failures === 0) await read().catch(fail);
        } finally {
          cancelPause();
        }
        if (!pause.signal.aborted) {
          await waitForNetwork(Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures), signal);
        }
      }
    },
  };

  function applyChange(data: string): void {
    // Frames of this route have one shape; the server checks it.
    const event = JSON.parse(data) as SessionChange;
    if (event.type === 'created' || event.type === 'updated') change((list) => putSession(list, event.session));
    if (event.type !== 'deleted') return;
    const id = event.session.session_id;
    change((list) => removeSession(list, id));
    onRemoved(id, false);
  }
}

function withPage(list: SessionList, { sessions, next_before: before }: SessionPage): SessionList {
  const { before: _before, ...rest } = list;
  const known = new Set(list.sessions.map((session) => session.session_id));
  const added = sessions.filter((session) => !known.has(session.session_id));
  return { ...rest, state: 'ready', sessions: [...list.sessions, ...added], ...(before && { before }) };
}

function putSession(list: SessionList, session: Session): SessionList {
  const replace = (sessions: readonly Session[]) =>
    sessions.map((other) => (other.session_id === session.session_id ? { ...other, ...session } : other));
  const isKnown = list.sessions.some((other) => other.session_id === session.session_id);
  const sessions = isKnown ? replace(list.sessions) : [session, ...list.sessions];
  return { ...list, sessions, ...(list.found && { found: replace(list.found) }) };
}

function removeSession(list: SessionList, id: string): SessionList {
  const without = (sessions: readonly Session[]) => sessions.filter((session) => session.session_id !== id);
  return { ...list, sessions: without(list.sessions), ...(list.found && { found: without(list.found) }) };
}
