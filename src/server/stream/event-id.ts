import { type Position, parsePosition } from '../../schema/position.ts';

/**
 * A reader's position: after an event, or within the next event, of which it has `part` frames. If an event is sent in
 * several frames, each frame but the last gets the id of the previous event plus a dot and the frame count.
 */
export interface ReaderPosition {
  position: Position;
  part: number;
}

/** Used instead of a count: the reader received the cut-off frame after this event. */
export const CUT_PART = 999;

export function formatPart(lastId: string, part: number): string {
  return `${lastId}.${part}`;
}

/** Throws `invalid_request` for an id that this server did not create. */
export function parseReaderPosition(text: string): ReaderPosition {
  const match = /^(.+\..+\..+\..+)\.(\d{1,3})$/.exec(text);
  if (!match) return { position: parsePosition(text), part: 0 };
  return { position: parsePosition(String(match[1])), part: Number(match[2]) };
}
