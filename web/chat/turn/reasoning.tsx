import { STRINGS } from '../../strings.ts';

/** Thoughts of the model, folded: they are no answer. */
export function Reasoning({ text }: { text: string }) {
  return (
    <details className="reasoning">
      <summary>{STRINGS.reasoning.label}</summary>
      <p>{text}</p>
    </details>
  );
}
