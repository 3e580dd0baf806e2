import { useEffect, useId, useRef, useState } from 'react';
import { isSendKey } from '../../shell/keys.ts';
import { STRINGS } from '../../strings.ts';

interface EditQuestionProps {
  text: string;
  onSend(text: string): void;
  onCancel(): void;
}

export default function EditQuestion({ text: before, onSend, onCancel }: EditQuestionProps) {
  const [text, setText] = useState(before);
  const field = useRef<HTMLTextAreaElement>(null);
  const hint = useId();
  useEffect(() => field.current?.focus(), []);
  const canSend = text.trim() !== '' && text !== before;
  return (
    <form
      className="edit-question"
      onSubmit={(event) => {
        event.preventDefault();
        if (canSend) onSend(text.trim());
      }}
    >
      <textarea
        ref={field}
        value={text}
        aria-label={STRINGS.turn.editLabel}
        aria-describedby={hint}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (isSendKey(event)) event.currentTarget.form?.requestSubmit();
          if (event.key === 'Escape') {
            event.stopPropagation();
            onCancel();
          }
        }}
      />
      <div className="form-row">
        <span id={hint} className="muted small">
          {STRINGS.turn.editHint}
        </span>
        <button type="button" onClick={onCancel}>
          {STRINGS.turn.cancel}
        </button>
        <button type="submit" className="primary" disabled={!canSend}>
          {STRINGS.turn.send}
        </button>
      </div>
    </form>
  );
}
