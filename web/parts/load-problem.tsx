import { STRINGS } from '../strings.ts';
import { Icon } from './icon.tsx';

/** Why a panel could not be read, and a button that reads it again. */
export function LoadProblem({ text, onRetry }: { text: string; onRetry(): void }) {
  return (
    <div className="problem mild" role="group" aria-label={STRINGS.side.failed}>
      <Icon name="alert" />
      <div className="grow">
        <strong>{STRINGS.side.failed}</strong>
        <p>{text}</p>
      </div>
      <button type="button" onClick={onRetry}>
        {STRINGS.log.again}
      </button>
    </div>
  );
}
