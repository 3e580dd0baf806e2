import { Suspense, useEffect, useRef } from 'react';
import { ErrorBoundary } from '../parts/error-boundary.tsx';
import { IconButton } from '../parts/icon.tsx';
import { useActions, usePage } from '../state/context.ts';
import { currentAgent } from '../state/page-state.ts';
import { STRINGS } from '../strings.ts';
import { PANELS } from './panels.ts';

/** Shows one panel at a time. The focus moves to it when it opens, and then back to the button that opened it. */
export function Side() {
  const actions = useActions();
  const { side, at } = usePage((state) => state.place);
  const agent = usePage(currentAgent);
  const heading = useRef<HTMLHeadingElement>(null);
  const panel = PANELS.find((entry) => entry.side === side);
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another subject takes the focus again
  useEffect(() => heading.current?.focus(), [side, at]);
  const offered = PANELS.filter((entry) => entry === panel || (entry.isOffered?.(agent) ?? true));
  return (
    <div className="side-inner">
      <div className="side-head">
        <div className="tabs">
          {offered.map((entry) =>
            entry.side === side ? (
              <h2 key={entry.side} ref={heading} className="tab" tabIndex={-1}>
                {entry.label}
              </h2>
            ) : (
              <button key={entry.side} type="button" className="quiet" onClick={() => actions.showSide(entry.side)}>
                {entry.label}
              </button>
            ),
          )}
        </div>
        <IconButton icon="close" label={STRINGS.side.close} onClick={() => actions.showSide(undefined)} />
      </div>
      <div className="side-body">
        <ErrorBoundary key={side} fallback={<p className="problem">{STRINGS.side.failed}</p>}>
          <Suspense fallback={<p className="muted">{STRINGS.side.loading}</p>}>
            {panel && <panel.View at={at} />}
          </Suspense>
        </ErrorBoundary>
      </div>
    </div>
  );
}
