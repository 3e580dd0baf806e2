import { lazy, Suspense, useEffect } from 'react';
import { Composer } from '../chat/composer/composer.tsx';
import { Empty, Missing } from '../chat/empty.tsx';
import { Log } from '../chat/log.tsx';
import { DueNotices, LoginNotices } from '../chat/notices.tsx';
import { Status } from '../chat/status.tsx';
import { List } from '../list/list.tsx';
import { cleanName } from '../parts/format.ts';
import { Panel } from '../parts/panel.tsx';
import { NARROW, useMedia } from '../parts/use-media.ts';
import { Side } from '../side/side.tsx';
import { useActions, usePage } from '../state/context.ts';
import { currentAgent, isUnserved } from '../state/page-state.ts';
import { STRINGS } from '../strings.ts';
import { Header } from './header.tsx';
import { useKeys } from './keys.ts';

const Help = lazy(() => import('./help.tsx'));
const Unserved = lazy(() => import('../chat/unserved.tsx'));

/** List, conversation and side panel. On a narrow screen list and panel are sheets over the conversation. */
export function Shell() {
  const actions = useActions();
  const isNarrow = useMedia(NARROW);
  const isListOpen = usePage((state) => state.isListOpen);
  const hasSide = usePage(({ place }) => place.side !== undefined);
  const isMissing = usePage(({ conversation }) => conversation.state === 'missing');
  const isHelpOpen = usePage((state) => state.isHelpOpen);
  const isOther = usePage(isUnserved);
  useKeys();
  useTitle();
  return (
    <div className={hasSide ? 'shell with-side' : 'shell'}>
      <Panel
        className="list"
        label={STRINGS.list.label}
        isOpen={!isNarrow || isListOpen}
        onClose={() => actions.set({ isListOpen: false })}
      >
        <List />
      </Panel>
      <main className="main">
        <Header />
        <Conversation />
        <LoginNotices />
        <DueNotices />
        <Status />
        <Suspense>{!isMissing && (isOther ? <Unserved /> : <Composer />)}</Suspense>
      </main>
      <Panel className="side" label={STRINGS.side.label} isOpen={hasSide} onClose={() => actions.showSide(undefined)}>
        <Side />
      </Panel>
      <Suspense>{isHelpOpen && <Help />}</Suspense>
      <Toast />
    </div>
  );
}

function Conversation() {
  const state = usePage(({ conversation }) => conversation.state);
  const isEmpty = usePage(({ conversation }) => conversation.order.length === 0);
  if (state === 'missing' || (state === 'failed' && isEmpty)) return <Missing />;
  if (state === 'new' && isEmpty) return <Empty />;
  if (state === 'loading' && isEmpty) return <div className="log-frame loading" aria-busy="true" />;
  return <Log />;
}

function Toast() {
  const toast = usePage((state) => state.toast);
  return (
    <div className="toast-place" aria-live="polite">
      {toast && <p className={toast.isProblem ? 'toast bad' : 'toast'}>{toast.text}</p>}
    </div>
  );
}

/** The title of the browser's tab. */
function useTitle(): void {
  const title = usePage((state) => {
    const { id } = state.conversation;
    const session = state.list.sessions.find((one) => one.session_id === id);
    return session?.title || currentAgent(state)?.name || '';
  });
  useEffect(() => {
    document.title = title ? `${cleanName(title)} · ${STRINGS.product}` : STRINGS.product;
    // After a sign-out the tab names no conversation.
    return () => {
      document.title = STRINGS.product;
    };
  }, [title]);
}
