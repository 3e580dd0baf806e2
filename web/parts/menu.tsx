import { type KeyboardEvent, useEffect, useRef } from 'react';

interface MenuEntry {
  label: string;
  isDanger?: boolean;
  onSelect(): void;
}

interface MenuProps {
  label: string;
  note?: string | undefined;
  children: readonly MenuEntry[];
  onClose(): void;
}

/** A short list of commands. Arrows move, Esc or a click elsewhere closes it and the focus returns to its button. */
export function Menu({ label, note, children, onClose }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  // biome-ignore lint/correctness/useExhaustiveDependencies: other entries need the focus again
  useEffect(() => {
    menu.current?.querySelector('button')?.focus();
  }, [note]);
  useEffect(() => {
    const onPointer = ({ target }: PointerEvent) => {
      if (target instanceof Node && !menu.current?.parentElement?.contains(target)) close.current();
    };
    addEventListener('pointerdown', onPointer);
    return () => removeEventListener('pointerdown', onPointer);
  }, []);
  const onKey = (event: KeyboardEvent) => {
    const entries = [...(menu.current?.querySelectorAll('button') ?? [])];
    const current = entries.indexOf(document.activeElement as HTMLButtonElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) entries.at((current + step) % entries.length)?.focus();
    else if (event.key === 'Escape' || event.key === 'Tab') {
      menu.current?.parentElement?.querySelector('button')?.focus();
      onClose();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div ref={menu} className="menu" role="menu" aria-label={label} tabIndex={-1} onKeyDown={onKey}>
      {note && <p className="menu-note">{note}</p>}
      {children.map((entry) => (
        <button
          key={entry.label}
          type="button"
          role="menuitem"
          className={entry.isDanger ? 'danger-text' : undefined}
          onClick={entry.onSelect}
        >
          {entry.label}
        </button>
      ))}
    </div>
  );
}
