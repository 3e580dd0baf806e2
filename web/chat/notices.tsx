import { useEffect, useRef, useState } from 'react';
import type { DueAnswer } from '../api/shapes.ts';
import { cleanName, formatDue } from '../parts/format.ts';
import { IconButton } from '../parts/icon.tsx';
import { useLoaded } from '../parts/loaded.tsx';
import { useActions, useDeps, usePage } from '../state/context.ts';
import { countEndedCalls } from '../state/conversation.ts';
import { currentAgent } from '../state/page-state.ts';
import { createReminders, type DueNotice, type Reminders } from '../state/reminders.ts';
import { STRINGS } from '../strings.ts';

/** Tasks whose time has come, above the composer until they are dismissed. */
export function DueNotices() {
  const [notices, dismiss] = useDueNotices();
  return (
    <div className="due-notices" role="status">
      {notices.map((notice) => {
        const { id, due_date = '', title } = notice.task;
        const name = cleanName(title);
        return (
          <p key={`${id} ${due_date}`} className="due-notice">
            <span>{notice.isLate ? STRINGS.due.since(formatDue(due_date), name) : STRINGS.due.now(name)}</span>
            <IconButton icon="close" label={STRINGS.due.dismiss(name)} onClick={() => dismiss(notice)} />
          </p>
        );
      })}
    </div>
  );
}

function useDueNotices(): [readonly DueNotice[], (notice: DueNotice) => void] {
  const { api } = useDeps();
  const agent = usePage((state) => {
    const current = currentAgent(state);
    return current?.has_tasks ? current.name : undefined;
  });
  const [notices, setNotices] = useState<readonly DueNotice[]>([]);
  const reminders = useRef<Reminders>(undefined);
  useEffect(() => {
    if (agent === undefined) return;
    reminders.current = createReminders({
      take: (after) => api.read<DueAnswer>(`/agent/${encodeURIComponent(agent)}/reminders`, { json: { after } }),
      show: (added) => setNotices((shown) => [...shown, ...added]),
      now: Date.now,
      wait(ms, callback) {
        const timer = setTimeout(callback, ms);
        return () => clearTimeout(timer);
      },
    });
    return () => reminders.current?.close();
  }, [api, agent]);
  // A call that ended may have added a task or changed its time.
  const calls = usePage(countEndedCalls);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another agent or an ended call asks for another reading
  useEffect(() => reminders.current?.check(), [api, agent, calls]);
  return [notices, (notice) => setNotices((shown) => shown.filter((other) => other !== notice))];
}

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
