import type { Event } from '../../schema/conversation/event.ts';
import type { TurnResult } from '../../schema/conversation/turn.ts';

/** Shows one turn: its events as they arrive, then its result. */
export interface Renderer {
  render(event: Event): void;
  /** Called after the last event; `status` is shown next to the answer. */
  finish(result: TurnResult, status?: string): void;
  /** Keeps the shown rows as they are, before a question or after a failure. */
  pause(): void;
  /**
   * Called when the window size has changed; `isLost` = the shown rows stay where they are, and later rows follow
   * below.
   */
  resized(isLost: boolean): void;
}
