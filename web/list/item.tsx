import { memo, useState } from 'react';
import type { Session } from '../api/shapes.ts';
import { cleanName } from '../parts/format.ts';
import { useActions, usePage } from '../state/context.ts';
import { STRINGS } from '../strings.ts';
import { ItemMenu } from './item-menu.tsx';

const STATES = {
  running: STRINGS.list.running,
  waiting: STRINGS.list.waiting,
  interrupted: STRINGS.list.interrupted,
  error: STRINGS.list.error,
} as const;

/** A conversation: opened by a click, renamed, pinned or deleted by its menu. */
export const Item = memo(({ session, isCurrent }: { session: Session; isCurrent: boolean }) => {
  const actions = useActions();
  const hasAgents = usePage(({ agents }) => agents.length > 1 || agents[0]?.name !== session.agent);
  const [isRenaming, setRenaming] = useState(false);
  const { session_id: id, status, preview } = session;
  const title = cleanName(session.title ?? '') || STRINGS.list.untitled;
  const state = status && status in STATES ? STATES[status as keyof typeof STATES] : undefined;
  if (isRenaming) {
    return (
      <li className="item">
        <RenameForm
          title={title}
          onDone={(next) => {
            setRenaming(false);
            if (next) void actions.attempt(() => actions.list.rename(id, next));
          }}
        />
      </li>
    );
  }
  return (
    <li className={isCurrent ? 'item current' : 'item'}>
      <button
        type="button"
        className="item-open"
        aria-current={isCurrent ? 'page' : undefined}
        onClick={() => actions.openConversation(id)}
      >
        <span className="item-title">{title}</span>
        {preview && <span className="item-preview">{cleanName(preview)}</span>}
        <span className="item-facts">
          {hasAgents && <span>{session.agent}</span>}
          {state && (
            <span className={`item-state ${status}`}>
              <span className="line-dot" aria-hidden="true" />
              {state}
            </span>
          )}
        </span>
      </button>
      <ItemMenu session={session} title={title} onRename={() => setRenaming(true)} />
    </li>
  );
});

const LONGEST = 200;

interface RenameFormProps {
  title: string;
  /** Undefined when the title stays as it is. */
  onDone(title: string | undefined): void;
}

function RenameForm({ title, onDone }: RenameFormProps) {
  const [text, setText] = useState(title);
  const done = () => onDone(text.trim() && text.trim() !== title ? text.trim() : undefined);
  return (
    <form
      className="rename"
      onSubmit={(event) => {
        event.preventDefault();
        done();
      }}
    >
      <input
        autoFocus
        aria-label={STRINGS.list.titleField}
        value={text}
        maxLength={LONGEST}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setText(event.target.value)}
        onBlur={done}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          onDone(undefined);
        }}
      />
    </form>
  );
}
