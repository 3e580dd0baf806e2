import { useId } from 'react';
import { STRINGS } from '../../strings.ts';
import type { Field } from './question-fields.ts';

interface QuestionFieldProps {
  field: Field;
  value: string;
  onChange(value: string): void;
}

/** A value of the answer, with the label and the hint of the tool's schema. */
export function QuestionField({ field, value, onChange }: QuestionFieldProps) {
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
