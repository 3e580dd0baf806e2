import { AppError } from '../errors.ts';
import type { Ulid } from './ids.ts';

/**
 * The position of an event: `<turn>.<attempt>.<seq>.<text offset>`. `seq` counts the committed events; `offset` counts
 * the characters (UTF-16) of text and reasoning emitted in this attempt. A delta keeps the seq and advances the offset,
 * so every position is unique. A transient event (progress, a notice) has the position of the event before it, plus `+`
 * and its own number.
 */
export interface Position {
  turn: Ulid;
  attempt: number;
  seq: number;
  offset: number;
}

export function formatPosition({ turn, attempt, seq, offset }: Position): string {
  return `${turn}.${attempt}.${seq}.${offset}`;
}

export function parsePosition(text: string): Position {
  const match = /^([0-7][0-9A-HJKMNP-TV-Z]{25})\.(\d{1,9})\.(\d{1,9})\.(\d{1,12})(?:\+\d{1,9})?$/.exec(text);
  if (!match) {
    throw new AppError('invalid_request', {
      detail: 'The event id is unknown. Connect again without Last-Event-ID.',
      problems: [{ path: 'Last-Event-ID', message: 'is not an event id of this server' }],
    });
  }
  return { turn: String(match[1]), attempt: Number(match[2]), seq: Number(match[3]), offset: Number(match[4]) };
}

/** Negative if `a` comes before `b` in the same turn. */
export function comparePositions(a: Omit<Position, 'turn'>, b: Omit<Position, 'turn'>): number {
  return a.attempt - b.attempt || a.seq - b.seq || a.offset - b.offset;
}
