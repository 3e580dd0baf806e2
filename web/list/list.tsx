import { useEffect, useMemo, useRef, useState } from 'react';
import { Icon, IconButton, Logo } from '../parts/icon.tsx';
import { NARROW, useMedia } from '../parts/use-media.ts';
import { SEARCH_FIELD } from '../shell/keys.ts';
import { ThemeButton } from '../shell/theme.tsx';
import { useActions, usePage } from '../state/context.ts';
import { STRINGS } from '../strings.ts';
import { groupSessions } from './group-sessions.ts';
import { Item } from './item.tsx';

/** Conversations of this user with every agent, those of the terminal among them. */
export function List() {
  const actions = useActions();
  const list = usePage((state) => state.list);
  const current = usePage(({ conversation }) => conversation.id);
  const isNarrow = useMedia(NARROW);
  const groups = useMemo(
    () => (list.found ? [{ title: '', sessions: list.found }] : groupSessions(list.sessions, new Date())),
    [list.found, list.sessions],
  );
  const isEmpty = list.state === 'ready' && !list.found && list.sessions.length === 0;
  return (
    <nav className="list-inner" aria-label={STRINGS.list.label}>
      <div className="list-head">
        <span className="brand">
          <Logo />
          {STRINGS.product}
        </span>
        {isNarrow && (
          <IconButton icon="close" label={STRINGS.list.close} onClick={() => actions.set({ isListOpen: false })} />
        )}
      </div>
      <button type="button" className="new" onClick={() => actions.newConversation()}>
        <Icon name="plus" />
        {STRINGS.list.create}
      </button>
      <Search />
      <div className="list-scroll">
        {groups.map(({ title, sessions }) => (
          <section key={title} aria-label={title || STRINGS.list.search}>
            {title && <h2 className="eyebrow">{title}</h2>}
            <ul>
              {sessions.map((session) => (
                <Item key={session.session_id} session={session} isCurrent={session.session_id === current} />
              ))}
            </ul>
          </section>
        ))}
        {isEmpty && <p className="muted small list-note">{STRINGS.list.empty}</p>}
        {list.state === 'failed' && <p className="bad small list-note">{STRINGS.list.failed}</p>}
        {list.found?.length === 0 && <p className="muted small list-note">{STRINGS.list.noHits(list.query)}</p>}
        {!list.found && list.before && (
          <button type="button" className="quiet" onClick={() => void actions.attempt(actions.list.readMore)}>
            {STRINGS.list.more}
          </button>
        )}
      </div>
      <div className="list-foot">
        <a href="/docs">{STRINGS.docs}</a>
        <span className="grow" />
        <IconButton icon="keyboard" label={STRINGS.help.open} onClick={() => actions.set({ isHelpOpen: true })} />
        <ThemeButton />
      </div>
    </nav>
  );
}

const TYPING_MS = 150;

function Search() {
  const actions = useActions();
  const query = usePage((state) => state.list.query);
  const [text, setText] = useState(query);
  const searched = useRef(query);
  useEffect(() => {
    if (text === searched.current) return;
    const timer = setTimeout(() => {
      searched.current = text;
      void actions.attempt(() => actions.list.search(text));
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, actions]);
  return (
    <div className="search">
      <Icon name="search" />
      <input
        id={SEARCH_FIELD}
        type="search"
        aria-label={STRINGS.list.search}
        placeholder={STRINGS.list.search}
        value={text}
        maxLength={200}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || text === '') return;
          event.stopPropagation();
          event.preventDefault();
          setText('');
        }}
      />
    </div>
  );
}
