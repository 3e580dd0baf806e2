import type { AppError } from '../errors.ts';
import type { Event } from '../schema/event.ts';
import type { Message } from '../schema/message.ts';

/** One thing that is sent: its data, and the name that REST gives it. */
export interface Frame {
  name?: string;
  data: Record<string, unknown>;
  /** With this the reader was told that the turn is cut off. */
  isCut?: true;
}

/** Turns the events of one turn after the other into frames. It knows what its reader has, so it goes on anywhere. */
export interface Translator {
  /** Takes in what the reader has already. */
  skip(event: Event): void;
  /** Usually one frame, sometimes none or several. */
  frames(event: Event): Frame[];
  /** The frames of this event show the whole conversation, so `setHistory` must come first. */
  needsHistory(event: Event): boolean;
  /** The messages before this turn. */
  setHistory(messages: readonly Message[]): void;
  /** What stands, for a reader who holds more than that; `setHistory` must come first. */
  reset(error: () => AppError): Frame[];
  /** The last frame of a turn that was cut off; nothing when it has told its end. */
  end(error: () => AppError): Frame[];
}
