import type { Choice } from '../../state/choices.ts';
import { useActions } from '../../state/context.ts';

/** Messages that may come next, as buttons; only below the newest answer. */
export function Next({ label, choices }: { label: string; choices: readonly Choice[] }) {
  const actions = useActions();
  if (choices.length === 0) return null;
  return (
    <ul className="next" aria-label={label}>
      {choices.map((choice) => (
        <li key={choice.label}>
          <button type="button" className="suggestion" onClick={() => void actions.send(choice.text, [])}>
            {choice.label}
          </button>
        </li>
      ))}
    </ul>
  );
}
