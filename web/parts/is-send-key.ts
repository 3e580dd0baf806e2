import type { KeyboardEvent } from 'react';

/** Safari reports the Enter that ends a composition only by this code. */
const COMPOSING = 229;

/** Enter without Shift, and not the one that picks a word of an input method. The key's own effect is prevented. */
export function isSendKey(event: KeyboardEvent): boolean {
  if (event.key !== 'Enter' || event.shiftKey || event.altKey) return false;
  if (event.nativeEvent.isComposing || event.nativeEvent.keyCode === COMPOSING) return false;
  event.preventDefault();
  return true;
}
