import { AppError } from '../errors.ts';
import type { Ulid } from './ids.ts';

/**
 * Where an event stands: `<turn>.<attempt>.<seq>.<text offset>`. `seq` counts the events that are committed before
 * they are told; `offset` counts the characters (UTF-16) of text and reasoning told in this attempt. A delta keeps
 * the seq and moves the offset, so a position never stands for two different things. What only passes (progress, a
 * notice) and is not kept has the position of the event before it with `+` and a number of its own.
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
      detail: 'The event id is not one of ours. Start again without Last-Event-ID.',
      problems: [{ path: 'Last-Event-ID', message: 'is not an event id of ours' }],
    });
  }
  return { turn: String(match[1]), attempt: Number(match[2]), seq: Number(match[3]), offset: Number(match[4]) };
}

/** Negative when `a` comes before `b` in the same turn. */
export function comparePositions(a: Omit<Position, 'turn'>, b: Omit<Position, 'turn'>): number {
  return a.attempt - b.attempt || a.seq - b.seq || a.offset - b.offset;
}
