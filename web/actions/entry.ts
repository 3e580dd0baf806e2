import { isProblem } from '../api/api.ts';
import type { AgentInfo, Boot, Me } from '../api/shapes.ts';
import { describeError, type PageDeps } from '../state/deps.ts';
import { STRINGS } from '../strings.ts';
import type { SessionListActions } from './session-list.ts';

interface EntryOptions {
  list: SessionListActions;
  onIn(): void;
  onOut(): void;
  notify(text: string, isProblem: boolean): void;
}

/** Sign-in, sign-out, and the first requests of the page. */
export function createEntry(deps: PageDeps, { list, onIn, onOut, notify }: EntryOptions) {
  const { api, store, storage } = deps;
  let following = new AbortController();
  const enter = (me: Me, agents: readonly AgentInfo[]) => {
    store.update(({ accessProblem: _problem, ...state }) => ({ ...state, access: 'in', me, agents }));
    following.abort();
    following = new AbortController();
    void list.follow(following.signal);
    onIn();
  };
  const start = async (boot: Boot, token?: string): Promise<void> => {
    if (boot.me && boot.agents) return enter(boot.me, boot.agents);
    if (token) return offer(token);
    if (boot.auth === 'token' && !storage.readToken()) return leave(deps);
    try {
      const [me, found] = await Promise.all([
        api.read<Me>('/me'),
        api.read<{ agents: readonly AgentInfo[] }>('/agents'),
      ]);
      enter(me, found.agents);
    } catch (error) {
      if (isProblem(error, 401)) leave(deps, describeError(error));
      else fail(error);
    }
  };
  const fail = (error: unknown) =>
    store.update((state) => ({ ...state, access: 'unreachable', accessProblem: describeError(error) }));
  const signIn = async (token: string) => {
    storage.writeToken(token);
    await start({});
  };
  const signOut = () => {
    following.abort();
    storage.writeToken(undefined);
    storage.clearDrafts();
    store.update((state) => ({ ...state, list: { state: 'loading', sessions: [], query: '' } }));
    onOut();
    leave(deps);
  };
  const offer = async (token: string): Promise<void> => {
    const old = storage.readToken();
    if (store.get().me?.auth === 'none') return;
    if (!old) return signIn(token);
    try {
      const [before, next] = await Promise.all([whoIs(deps, old), whoIs(deps, token)]);
      if (before && next && before.id !== next.id) {
        const names = { from: before.name ?? before.id, to: next.name ?? next.id };
        return store.update((state) => ({ ...state, access: 'asking', offer: { token, ...names } }));
      }
      if (next || !before) return signIn(token);
      notify(STRINGS.replace.refused, true);
      if (store.get().access !== 'in') await start({});
    } catch (error) {
      fail(error);
    }
  };
  return {
    start,
    signIn,
    signOut,
    offer,
    async answerOffer(isTaken: boolean) {
      const token = store.get().offer?.token;
      store.update(({ offer: _offer, ...state }) => ({ ...state, access: 'starting' }));
      if (isTaken && token) {
        signOut();
        await signIn(token);
      } else await start({});
    },
  };
}

/** The user of a token; undefined if the server refuses it. */
function whoIs({ api }: PageDeps, token: string): Promise<Me | undefined> {
  return api.read<Me>('/me', { token }).catch((error: unknown) => {
    if (isProblem(error, 401)) return undefined;
    throw error;
  });
}

function leave({ store }: PageDeps, accessProblem?: string): void {
  store.update((state) => ({ ...state, access: 'out', ...(accessProblem && { accessProblem }) }));
}
