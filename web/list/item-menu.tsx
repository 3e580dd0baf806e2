import { useState } from 'react';
import type { Session } from '../api/shapes.ts';
import { IconButton } from '../parts/icon.tsx';
import { Menu } from '../parts/menu.tsx';
import { useActions } from '../state/context.ts';
import { STRINGS } from '../strings.ts';

interface ItemMenuProps {
  session: Session;
  title: string;
  onRename(): void;
}

export function ItemMenu({ session, title, onRename }: ItemMenuProps) {
  const actions = useActions();
  const [isOpen, setOpen] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const { session_id: id, pinned } = session;
  const close = () => {
    setOpen(false);
    setDeleting(false);
  };
  const run = (action: () => void) => () => {
    close();
    action();
  };
  return (
    <div className="item-menu">
      <IconButton
        icon="more"
        label={STRINGS.list.menu(title)}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => (isOpen ? close() : setOpen(true))}
      />
      {isOpen && (
        <Menu label={title} onClose={close} note={isDeleting ? STRINGS.list.removeQuestion : undefined}>
          {isDeleting
            ? [
                { label: STRINGS.turn.cancel, onSelect: close },
                {
                  label: STRINGS.list.remove,
                  isDanger: true,
                  onSelect: run(() => void actions.attempt(() => actions.list.remove(id))),
                },
              ]
            : [
                { label: STRINGS.list.rename, onSelect: run(onRename) },
                {
                  label: pinned ? STRINGS.list.unpin : STRINGS.list.pin,
                  onSelect: run(() => void actions.attempt(() => actions.list.pin(id, !pinned))),
                },
                {
                  label: STRINGS.list.exportMarkdown,
                  onSelect: run(() => void actions.attempt(() => actions.exportSession(id, 'md'))),
                },
                {
                  label: STRINGS.list.exportJson,
                  onSelect: run(() => void actions.attempt(() => actions.exportSession(id, 'json'))),
                },
                { label: STRINGS.list.remove, isDanger: true, onSelect: () => setDeleting(true) },
              ]}
        </Menu>
      )}
    </div>
  );
}
