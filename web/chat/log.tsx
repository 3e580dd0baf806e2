import { useEffect, useMemo, useRef, useState } from 'react';
import { ErrorBoundary } from '../parts/error-boundary.tsx';
import { Icon } from '../parts/icon.tsx';
import { useActions, useDrawQueue, usePage } from '../state/context.ts';
import { type Conversation, shownTurns } from '../state/conversation.ts';
import { isReadOnly } from '../state/page-state.ts';
import type { Turn as TurnState } from '../state/turn.ts';
import { STRINGS } from '../strings.ts';
import { Turn } from './turn/turn.tsx';
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

/** Reads older turns when it comes near the screen, or by a click. */
function Earlier() {
  const actions = useActions();
  const [isBusy, setBusy] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const element = button.current;
    if (!element || isBusy) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && element.click(), {
      root: element.closest('.log'),
      rootMargin: '300px 0px 0px',
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [isBusy]);
  const read = () => {
    setBusy(true);
    void actions.attempt(actions.readEarlier).finally(() => setBusy(false));
  };
  return (
    <button ref={button} type="button" className="quiet earlier" disabled={isBusy} onClick={read}>
      {STRINGS.log.earlier}
    </button>
  );
}

/** Turns that are drawn at once, and those that each further frame adds above them. */
const STEP = 4;

/** The newest turns at once, older ones above them frame by frame. */
function useShownTurns(conversation: Conversation): { turns: readonly TurnState[]; isWhole: boolean } {
  const queue = useDrawQueue();
  const turns = useMemo(() => shownTurns(conversation), [conversation]);
  const [first, setFirst] = useState('');
  const known = turns.findIndex((turn) => keyOf(turn) === first);
  const from = known < 0 ? Math.max(0, turns.length - STEP) : known;
  const next = turns[Math.max(0, from - STEP)];
  const nextKey = next ? keyOf(next) : '';
  useEffect(() => {
    if (nextKey !== first) return queue.add(() => setFirst(nextKey));
  }, [queue, nextKey, first]);
  return { turns: turns.slice(from), isWhole: from === 0 };
}

/** A turn keeps its place on screen when the server gives it its id. */
function keyOf({ id, question }: TurnState): string {
  return question?.id ?? id;
}
