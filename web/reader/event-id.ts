/** The place of a frame: `<turn>.<attempt>.<seq>.<text offset>`, and the number of frames after that event. */
export interface EventId {
  turnId: string;
  place: readonly number[];
  /** A retry or a progress: it has the place of the frame before it, plus `+` and its number, and is never sent again. */
  isPassing?: true;
}

export function parseEventId(id: string): EventId | undefined {
  const [turnId, ...rest] = id.replace(/\+\d+/, '').split('.');
  const place = rest.map(Number);
  if (!turnId || place.length < 3 || !place.every(Number.isSafeInteger)) return undefined;
  return { turnId, place, ...(/\+\d+$/.test(id) && { isPassing: true }) };
}

/** A frame that is not later than one which was already applied must not be applied again. */
export function isLater(next: readonly number[], applied: readonly number[] | undefined): boolean {
  if (!applied) return true;
  const length = Math.max(next.length, applied.length);
  for (let index = 0; index < length; index++) {
    const difference = (next[index] ?? 0) - (applied[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}
