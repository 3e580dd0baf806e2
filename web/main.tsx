import './jitless.ts';
import { createRoot } from 'react-dom/client';
import { createActions } from './actions/actions.ts';
import { createApi } from './api/api.ts';
import type { Boot } from './api/shapes.ts';
import { App } from './shell/app.tsx';
import { applyTheme, readTheme } from './shell/theme.tsx';
import { PageContext } from './state/context.ts';
import { createDrawQueue } from './state/draw-queue.ts';
import { createPageState } from './state/page-state.ts';
import { type Place, readHandedToken, readPlace, writePlace } from './state/place.ts';
import { createPageStorage, openSessionStorage } from './state/storage.ts';
import { createStore } from './state/store.ts';
import './styles/index.css';

applyTheme(readTheme());
const storage = createPageStorage(openSessionStorage());
const store = createStore(createPageState(readPlace(location.search)));
const api = createApi({
  token: storage.readToken,
  onSignedOut: () => store.update((state) => ({ ...state, access: 'out' })),
  fetch: (...request) => fetch(...request),
});
const showPlace = (place: Place, how: 'push' | 'replace') => {
  const address = writePlace(place);
  if (how === 'push') history.pushState(null, '', address);
  else history.replaceState(null, '', address);
};
const deps = { api, store, storage, showPlace };
const actions = createActions(deps);
const queue = createDrawQueue((run) => requestAnimationFrame(run));
addEventListener('popstate', () => actions.goTo(readPlace(location.search)));
addEventListener('hashchange', () => {
  const token = takeHandedToken();
  if (token) void actions.attempt(() => actions.offer(token));
});

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element #root.');
createRoot(root).render(
  <PageContext value={{ deps, actions, queue }}>
    <App />
  </PageContext>,
);
void actions.start(readBoot(), takeHandedToken());

/** Takes a token that another program hands over out of the address. */
function takeHandedToken(): string | undefined {
  const token = readHandedToken(location.hash);
  if (token) history.replaceState(null, '', location.pathname + location.search);
  return token;
}

/** The server puts what the first paint needs into the HTML, so that it costs no further request. */
function readBoot(): Boot {
  try {
    return JSON.parse(document.getElementById('boot')?.textContent ?? '{}');
  } catch {
    return {};
  }
}
