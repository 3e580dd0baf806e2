import { type ReactNode, useEffect, useRef } from 'react';
import { NARROW, useMedia } from './use-media.ts';

interface PanelProps {
  className: string;
  label: string;
  isOpen: boolean;
  onClose(): void;
  children: ReactNode;
}

/** A column beside the conversation; on a narrow screen a sheet over it that Esc closes. */
export function Panel({ className, label, isOpen, onClose, children }: PanelProps) {
  const isSheet = useMedia(NARROW);
  if (!isSheet) {
    return isOpen ? (
      <aside className={className} aria-label={label}>
        {children}
      </aside>
    ) : null;
  }
  return isOpen ? (
    <Sheet className={className} label={label} onClose={onClose}>
      {children}
    </Sheet>
  ) : null;
}

/** The browser keeps the focus inside a modal dialog and returns it afterwards. */
export function Sheet({ className, label, onClose, children }: Omit<PanelProps, 'isOpen'>) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    element?.showModal();
    return () => {
      element?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className={`sheet ${className}`}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      {children}
    </dialog>
  );
}
