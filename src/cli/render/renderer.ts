import type { Event } from '../../schema/event.ts';
import type { TurnResult } from '../../schema/turn.ts';

/** Shows one turn: its events as they come, then what it adds up to. */
export interface Renderer {
  render(event: Event): void;
  /** After the last event; `status` is what is said beside the answer. */
  finish(result: TurnResult, status?: string): void;
  /** Leaves what is shown as it stands, for a question in between or after a failure. */
  pause(): void;
  /** The window has another size; lost = what was shown stays where it is, and the rest comes below. */
  resized(isLost: boolean): void;
}
