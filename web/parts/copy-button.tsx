import { useEffect, useState } from 'react';
import { STRINGS } from '../strings.ts';
import { Icon } from './icon.tsx';

interface CopyButtonProps {
  text: string;
  label?: string;
  done?: string;
  className?: string;
}

const SHOWN_MS = 2_000;

export function CopyButton({ text, label = STRINGS.copy, done = STRINGS.row.copied, className }: CopyButtonProps) {
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => setDone(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isDone]);
  return (
    <button
      type="button"
      className={`quiet ${className ?? ''}`}
      onClick={() => void copyText(text).then(() => setDone(true))}
    >
      <Icon name={isDone ? 'check' : 'copy'} />
      <span>{isDone ? done : label}</span>
    </button>
  );
}

/** Copies text. Browsers offer the clipboard API only over HTTPS or from this machine; elsewhere a field is used. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text);
      return;
    } catch {
      // A refused permission leaves the other way.
    }
  }
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'visually-hidden';
  (document.querySelector('dialog[open]') ?? document.body).append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
}
