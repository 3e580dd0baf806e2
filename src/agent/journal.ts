import type { Event, EventBody } from '../schema/event.ts';

/**
 * The record of one turn. The loop writes here before it acts and before it tells.
 * Throws `turn_taken_over` when another process has continued the turn.
 */
export interface Journal {
  /** Gives the events their ids; resolves when all of them, and every delta noted before them, are durable. */
  commit(...bodies: EventBody[]): Promise<Event[]>;
  /**
   * Gives a delta, the start of a step or a passing event its id at once. What does not pass becomes durable soon
   * after, in a segment, and with the next commit at the latest.
   */
  note(body: EventBody): Event;
}
