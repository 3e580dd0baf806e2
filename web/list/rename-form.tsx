import { useState } from 'react';
import { STRINGS } from '../strings.ts';

const LONGEST = 200;

interface RenameFormProps {
  title: string;
  /** Undefined when the title stays as it is. */
  onDone(title: string | undefined): void;
}

export function RenameForm({ title, onDone }: RenameFormProps) {
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
