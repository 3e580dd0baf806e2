import type { NumberCheck } from '../../../src/schema/conversation/turn.ts';
import { STRINGS } from '../../strings.ts';

interface FigureProps {
  check: NumberCheck;
  isShown: boolean;
  onShow(): void;
}

/** A figure of an answer. It opens the row and the query that it came from, or says that it was not found. Words that do not fit the query say why. */
export function Figure({ check, isShown, onShow }: FigureProps) {
  const { found, text, reason } = check;
  const label = found ? STRINGS.figure.found(text) : STRINGS.figure.missing(text, reason);
  return (
    <button
      type="button"
      className={found ? 'figure' : 'figure missing'}
      aria-label={label}
      aria-pressed={isShown}
      title={found ? undefined : label}
      onClick={onShow}
    >
      {text}
    </button>
  );
}
