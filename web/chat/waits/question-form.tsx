import type { Interrupt } from '@ag-ui/client';
import { type FormEvent, useId, useState } from 'react';
import { STRINGS } from '../../strings.ts';
import { type Field, readFields, toAnswer } from './question-fields.ts';

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

interface QuestionFieldProps {
  field: Field;
  value: string;
  onChange(value: string): void;
}

/** A value of the answer, with the label and the hint of the tool's schema. */
function QuestionField({ field, value, onChange }: QuestionFieldProps) {
  const id = useId();
  const hint = useId();
  const described = field.hint ? { 'aria-describedby': hint } : {};
  const shared = { id, required: field.isRequired, ...described };
  if (field.kind === 'boolean') {
    return (
      <label className="check-field">
        <input
          type="checkbox"
          checked={value === 'true'}
          onChange={(event) => onChange(String(event.target.checked))}
        />
        <span>{field.hint ? `${field.label}: ${field.hint}` : field.label}</span>
      </label>
    );
  }
  return (
    <div className="field">
      <label htmlFor={id}>
        {field.label}
        {!field.isRequired && <span className="muted small"> {STRINGS.question.optional}</span>}
      </label>
      {field.kind === 'choice' ? (
        <select {...shared} value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="">{STRINGS.question.choose}</option>
          {field.choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...shared}
          type={field.kind === 'number' ? 'number' : field.inputType}
          step={field.kind === 'number' ? (field.isInteger ? 1 : 'any') : undefined}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      {field.hint && (
        <p id={hint} className="muted small">
          {field.hint}
        </p>
      )}
    </div>
  );
}
