import { useEffect, useState } from 'react';
import { STRINGS } from '../strings.ts';
import { copyText } from './copy-text.ts';
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
