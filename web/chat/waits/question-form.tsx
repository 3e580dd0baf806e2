import type { Interrupt } from '@ag-ui/client';
import { type FormEvent, useId, useState } from 'react';
import { STRINGS } from '../../strings.ts';
import { QuestionField } from './question-field.tsx';
import { readFields, toAnswer } from './question-fields.ts';

interface QuestionFormProps {
  wait: Interrupt;
  isBusy: boolean;
  onAnswer(payload: unknown): void;
}

/** A question that a tool asks in the middle of its work: a form made from its schema, or JSON for other schemas. */
export function QuestionForm({ wait, isBusy, onAnswer }: QuestionFormProps) {
  const fields = readFields(wait.responseSchema);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [text, setText] = useState('');
  const title = useId();
  const parsed = fields ? undefined : parse(text);
  const send = (event: FormEvent) => {
    event.preventDefault();
    onAnswer(fields ? toAnswer(fields, values) : parsed);
  };
  return (
    <section className="approval" aria-labelledby={title}>
      <h3 id={title}>{STRINGS.question.title}</h3>
      <p>{wait.message}</p>
      <form className="question-form" onSubmit={send}>
        {fields?.map((field) => (
          <QuestionField
            key={field.name}
            field={field}
            value={values[field.name] ?? field.initial}
            onChange={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
          />
        ))}
        {!fields && (
          <label>
            <span className="muted small">{STRINGS.question.unsupported}</span>
            <textarea value={text} onChange={(event) => setText(event.target.value)} />
          </label>
        )}
        <div className="form-row">
          <button type="submit" className="primary" disabled={isBusy || (!fields && parsed === undefined)}>
            {STRINGS.question.send}
          </button>
          <button type="button" disabled={isBusy} onClick={() => onAnswer({ approved: false })}>
            {STRINGS.question.decline}
          </button>
        </div>
      </form>
    </section>
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
