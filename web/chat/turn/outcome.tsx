import { lazy, Suspense } from 'react';
import { Icon } from '../../parts/icon.tsx';
import { useActions } from '../../state/context.ts';
import type { Turn } from '../../state/turn.ts';
import { STRINGS } from '../../strings.ts';

/** Loaded with the first turn that was interrupted. */
const Interrupted = lazy(() => import('./interrupted.tsx'));

/** How a turn ended, where it did not simply end with its answer. */
export function Outcome({ turn, isNewest }: { turn: Turn; isNewest: boolean }) {
  const actions = useActions();
  const { failure, status, facts } = turn;
  if (status === 'interrupted')
    return (
      <Suspense>
        <Interrupted turn={turn} canContinue={isNewest} />
      </Suspense>
    );
  if (status === 'cancelled') return <p className="note">{STRINGS.turn.stopped}</p>;
  if (status === 'max_iterations_reached') return <p className="note">{STRINGS.turn.limit}</p>;
  if (status === 'completed')
    return facts.finish_reason === 'length' ? <p className="note">{STRINGS.turn.length}</p> : null;
  if (status !== 'error' && status !== 'unsent') return null;
  const isUnsent = status === 'unsent';
  return (
    <div className="problem" role="group" aria-label={isUnsent ? STRINGS.turn.unsent : STRINGS.turn.failed}>
      <Icon name="alert" />
      <div className="grow">
        <strong>{isUnsent ? STRINGS.turn.unsent : STRINGS.turn.failed}</strong>
        <p>{failure?.message}</p>
        {failure?.cause && <p className="cause">{failure.cause}</p>}
        {failure && <code className="small">{failure.code}</code>}
      </div>
      {isNewest && (
        <button
          type="button"
          onClick={() => void actions.attempt(() => (isUnsent ? actions.sendAgain(turn) : actions.answerAgain(turn)))}
        >
          {isUnsent ? STRINGS.turn.sendAgain : STRINGS.actions.retry}
        </button>
      )}
    </div>
  );
}
