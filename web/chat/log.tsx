import { ErrorBoundary } from '../parts/error-boundary.tsx';
import { Icon } from '../parts/icon.tsx';
import { usePage } from '../state/context.ts';
import { isReadOnly } from '../state/page-state.ts';
import { STRINGS } from '../strings.ts';
import { Earlier } from './earlier.tsx';
import { Turn } from './turn/turn.tsx';
import { keyOf, useShownTurns } from './use-shown-turns.ts';
import { useStickToEnd } from './use-stick-to-end.ts';

/** The conversation. It follows the newest text unless somebody has scrolled up. */
export function Log() {
  const conversation = usePage((state) => state.conversation);
  const { turns, isWhole } = useShownTurns(conversation);
  const canAct = usePage((state) => !isReadOnly(state));
  const { log, isAtEnd, goToEnd, onScroll, onClick } = useStickToEnd(conversation);
  return (
    <div className="log-frame">
      <div
        ref={log}
        className="log"
        role="log"
        aria-live="off"
        aria-label={STRINGS.log.label}
        tabIndex={0}
        onScroll={onScroll}
        onClickCapture={onClick}
      >
        <div className="log-text">
          {conversation.before && isWhole && <Earlier />}
          {turns.map((turn, index) => (
            <article key={keyOf(turn)} className="turn" data-turn={turn.id} data-status={turn.status} tabIndex={-1}>
              <ErrorBoundary fallback={<p className="problem">{STRINGS.turn.broken}</p>}>
                <Turn turn={turn} isNewest={index === turns.length - 1} canAct={canAct} />
              </ErrorBoundary>
            </article>
          ))}
        </div>
      </div>
      {!isAtEnd && (
        <button type="button" className="to-end" onClick={goToEnd} aria-label={STRINGS.log.newest}>
          <Icon name="down" />
        </button>
      )}
    </div>
  );
}
