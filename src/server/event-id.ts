import { type Position, parsePosition } from '../schema/position.ts';

/**
 * Where a reader stands: after an event, or in the middle of the next one, of which it has `part` frames. An event
 * that is told in several frames gives all but the last the id of the event before it with the count behind a dot.
 */
export interface ReaderPosition {
  position: Position;
  part: number;
}

/** Instead of a count: the reader was told after this event that the turn is cut off. */
export const CUT_PART = 999;

export function formatPart(lastId: string, part: number): string {
  return `${lastId}.${part}`;
}

/** Throws `invalid_request` for an id that is not one of ours. */
export function parseReaderPosition(text: string): ReaderPosition {
  const match = /^(.+\..+\..+\..+)\.(\d{1,3})$/.exec(text);
  if (!match) return { position: parsePosition(text), part: 0 };
  return { position: parsePosition(String(match[1])), part: Number(match[2]) };
}
