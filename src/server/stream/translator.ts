import type { AppError } from '../../errors.ts';
import type { Event } from '../../schema/conversation/event.ts';
import type { Message } from '../../schema/conversation/message.ts';

/** A unit of output: its data, and the event name in REST. */
export interface StreamFrame {
  name?: string;
  data: Record<string, unknown>;
  /** This frame informs the reader that the turn was cut off. */
  isCut?: true;
}

/**
 * Translates the events of consecutive turns into frames. It tracks what its reader has, so it can continue anywhere.
 */
export interface Translator {
  /** Takes in an event that the reader already has. */
  skip(event: Event): void;
  /** Awaited before `frames` of the same event, if there is something to wait for. */
  prepare?(event: Event): Promise<void> | undefined;
  /** Usually returns one frame, sometimes none or several. */
  frames(event: Event): StreamFrame[];
  /** Whether the frames of this event show the whole conversation; then `setHistory` must be called first. */
  needsHistory(event: Event): boolean;
  /** Sets the messages before this turn. */
  setHistory(messages: readonly Message[]): void;
  /** Returns the committed state, for a reader that holds more than that; `setHistory` must be called first. */
  reset(error: () => AppError): StreamFrame[];
  /** Returns the last frame of a turn that was cut off; empty if its end was already sent. */
  end(error: () => AppError): StreamFrame[];
}
