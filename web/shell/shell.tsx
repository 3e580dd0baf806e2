import { lazy, Suspense } from 'react';
import { Composer } from '../chat/composer/composer.tsx';
import { DueNotices } from '../chat/due-notices.tsx';
import { Empty } from '../chat/empty.tsx';
import { Log } from '../chat/log.tsx';
import { LoginNotices } from '../chat/login-notices.tsx';
import { Missing } from '../chat/missing.tsx';
import { Status } from '../chat/status.tsx';
import { List } from '../list/list.tsx';
import { Panel } from '../parts/panel.tsx';
import { NARROW, useMedia } from '../parts/use-media.ts';
import { Side } from '../side/side.tsx';
import { useActions, usePage } from '../state/context.ts';
import { isUnserved } from '../state/page-state.ts';
import { STRINGS } from '../strings.ts';
import { Header } from './header.tsx';
import { Toast } from './toast.tsx';
import { useKeys } from './use-keys.ts';
import { useTitle } from './use-title.ts';

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
