import { useEffect, useRef, useState } from 'react';
import { Icon } from '../parts/icon.tsx';
import { SEARCH_FIELD } from '../shell/keys.ts';
import { useActions, usePage } from '../state/context.ts';
import { STRINGS } from '../strings.ts';

const TYPING_MS = 150;

export function Search() {
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
