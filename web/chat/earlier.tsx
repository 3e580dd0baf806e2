import { useEffect, useRef, useState } from 'react';
import { useActions } from '../state/context.ts';
import { STRINGS } from '../strings.ts';

/** Reads older turns when it comes near the screen, or by a click. */
export function Earlier() {
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
