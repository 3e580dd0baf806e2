import { type MouseEvent, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type Conversation, newestTurn } from '../state/conversation.ts';

/** Rounding of zoomed pages. */
const NEAR_PX = 24;

/** Parts of the log that a reader opens in place or in a panel. */
const OPENS = '[aria-expanded], summary, .figure, .facts, .show-all';

/**
 * Keeps the end of the log in view while the conversation grows. Scrolling up or opening a part of it releases the end;
 * scrolling to the end or sending a message takes it again.
 */
export function useStickToEnd(conversation: Conversation) {
  const log = useRef<HTMLDivElement>(null);
  const isStuck = useRef(true);
  const lastTop = useRef(0);
  const [isAtEnd, setAtEnd] = useState(true);
  const newest = newestTurn(conversation);
  const sentId = newest?.status === 'sending' ? newest.id : undefined;
  const scrollToEnd = useCallback(() => {
    if (!log.current) return;
    log.current.scrollTop = log.current.scrollHeight;
    // Its scroll event comes later; a reader who moves up before it must still be seen to move up.
    lastTop.current = log.current.scrollTop;
  }, []);
  const goToEnd = useCallback(() => {
    isStuck.current = true;
    setAtEnd(true);
    scrollToEnd();
  }, [scrollToEnd]);
  const onScroll = useCallback(() => {
    if (!log.current) return;
    const { scrollTop } = log.current;
    // Text that is added before the event arrives also moves the end away; only a reader moves up.
    if (isNearEnd(log.current)) isStuck.current = true;
    else if (scrollTop < lastTop.current) isStuck.current = false;
    lastTop.current = scrollTop;
    setAtEnd(isStuck.current);
  }, []);
  /** Scrolls to a new end, unless a reader moved up and the scroll event is still to come. */
  const follow = useCallback(() => {
    if (log.current && log.current.scrollTop < lastTop.current) onScroll();
    if (isStuck.current) scrollToEnd();
  }, [onScroll, scrollToEnd]);
  const onClick = useCallback((event: MouseEvent<HTMLElement>) => {
    if (event.target instanceof Element && event.target.closest(OPENS)) isStuck.current = false;
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation starts at its end
  useLayoutEffect(goToEnd, [conversation.id, goToEnd]);
  useLayoutEffect(() => {
    if (sentId) goToEnd();
  }, [sentId, goToEnd]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the conversation may have made it longer
  useLayoutEffect(() => {
    follow();
  }, [conversation, follow]);
  useEffect(() => {
    const element = log.current;
    if (!element) return;
    const observer = new ResizeObserver(() => {
      if (isStuck.current) follow();
      else onScroll();
    });
    observer.observe(element);
    if (element.firstElementChild) observer.observe(element.firstElementChild);
    return () => observer.disconnect();
  }, [onScroll, follow]);
  return { log, isAtEnd, goToEnd, onScroll, onClick };
}

function isNearEnd({ scrollHeight, scrollTop, clientHeight }: HTMLElement): boolean {
  return scrollHeight - scrollTop - clientHeight < NEAR_PX;
}
