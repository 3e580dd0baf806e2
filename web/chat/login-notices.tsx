import { useLoaded } from '../parts/use-loaded.ts';
import { useActions, useDeps, usePage } from '../state/context.ts';
import { countEndedCalls } from '../state/conversation.ts';
import { currentAgent } from '../state/page-state.ts';
import { STRINGS } from '../strings.ts';

interface Login {
  server: string;
  logged_in: boolean;
}

/** Servers that the user has to log in to, above the composer. The login opens in this browser, which holds its cookie. */
export function LoginNotices() {
  const actions = useActions();
  const { api } = useDeps();
  const agent = usePage(currentAgent);
  const path = agent?.has_logins ? `/agent/${encodeURIComponent(agent.name)}/logins` : undefined;
  const { value } = useLoaded<{ logins: readonly Login[] }>(path, usePage(countEndedCalls));
  const logIn = (server: string) =>
    void actions.attempt(async () => {
      const begun = await api.read<{ url: string }>(`${path}/${encodeURIComponent(server)}`, { method: 'POST' });
      window.location.assign(begun.url);
    });
  return value?.logins
    .filter(({ logged_in }) => !logged_in)
    .map(({ server }) => (
      <p key={server} className="due-notice" role="status">
        <span>{STRINGS.login.needed(server)}</span>
        <button type="button" onClick={() => logIn(server)}>
          {STRINGS.login.begin}
        </button>
      </p>
    ));
}
