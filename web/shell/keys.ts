import { type KeyboardEvent as ReactKeyboardEvent, useEffect } from 'react';
import { useActions, useDeps } from '../state/context.ts';
import { newestTurn } from '../state/conversation.ts';
import { isRunning } from '../state/turn.ts';

export const SEARCH_FIELD = 'search-conversations';

/** Keys that work anywhere on the page. Single letters do nothing inside fields. */
export function useKeys(): void {
  const actions = useActions();
  const { store } = useDeps();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isCommand = event.ctrlKey || event.metaKey;
      if (isCommand && event.key === 'k') {
        actions.set({ isListOpen: true });
        requestAnimationFrame(() => document.getElementById(SEARCH_FIELD)?.focus());
      } else if (isCommand && event.key === 'o') actions.newConversation();
      else if (event.altKey && event.key === 'ArrowUp') moveTurn(-1);
      else if (event.altKey && event.key === 'ArrowDown') moveTurn(1);
      else if (event.key === '?' && !isField(event.target)) actions.set({ isHelpOpen: true });
      else if (event.key === 'Escape' && !document.querySelector('dialog[open]')) {
        const { place, conversation } = store.get();
        const turn = newestTurn(conversation);
        if (turn && isRunning(turn)) void actions.attempt(actions.stop);
        else if (place.side) actions.showSide(undefined);
        else return;
      } else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [actions, store]);
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');
}

function moveTurn(step: 1 | -1): void {
  const turns = [...document.querySelectorAll<HTMLElement>('.turn')];
  const current = turns.findIndex((turn) => turn.contains(document.activeElement));
  const next = current < 0 ? (step < 0 ? turns.length - 1 : 0) : current + step;
  turns[next]?.focus();
  turns[next]?.scrollIntoView({ block: 'nearest' });
}

/** Safari reports the Enter that ends a composition only by this code. */
const COMPOSING = 229;

/** Enter without Shift, and not the one that picks a word of an input method. The key's own effect is prevented. */
export function isSendKey(event: ReactKeyboardEvent): boolean {
  if (event.key !== 'Enter' || event.shiftKey || event.altKey) return false;
  if (event.nativeEvent.isComposing || event.nativeEvent.keyCode === COMPOSING) return false;
  event.preventDefault();
  return true;
}
