import { useState } from 'react';
import { PlainText } from '../../parts/folded-text.tsx';
import { STRINGS } from '../../strings.ts';

/** Thoughts of the model, folded: they are no answer. */
export function Reasoning({ text }: { text: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="reasoning" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{STRINGS.reasoning.label}</summary>
      <p>{isOpen && <PlainText text={text} />}</p>
    </details>
  );
}
