import type { Event, EventBody } from '../schema/conversation/event.ts';

/**
 * The record of one turn. The loop writes here before it acts and before it emits. Throws `turn_taken_over` when
 * another process has continued the turn.
 */
export interface Journal {
  /** Assigns ids to the events. Resolves when they and every delta noted before them are durable. */
  commit(...bodies: EventBody[]): Promise<Event[]>;
  /**
   * Assigns an id at once to a delta, the start of a step or a transient event. Deltas and step starts become durable
   * soon after, in a segment, and at the latest with the next commit. Transient events are never stored.
   */
  note(body: EventBody): Event;
}
