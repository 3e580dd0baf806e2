import type { Event } from '../../schema/conversation/event.ts';
import type { TurnResult } from '../../schema/conversation/turn.ts';

/** Shows one turn: its events as they arrive, then its result. */
export interface Renderer {
  render(event: Event): void;
  /** Called after the last event; `status` is shown next to the answer. */
  finish(result: TurnResult, status?: string): void;
  /** Keeps the shown rows as they are, before a question or after a failure. */
  pause(): void;
  /** Called when the window size has changed; `isLost` = the shown rows stay, and later rows follow below. */
  resized(isLost: boolean): void;
}

/** In a team: each hand-over, and before the first text of a reply the name of its agent. */
export function createSpeakerLine(write: (line: string) => void): (event: Event) => void {
  let speaker: string | undefined;
  return (event) => {
    if (event.type === 'step-start') speaker = event.agent;
    if (event.type === 'hand-over') write(`${event.from} → ${event.to}: ${event.reason}`);
    if (event.type !== 'text-delta' || speaker === undefined) return;
    write(`${speaker}:`);
    speaker = undefined;
  };
}

/** Characters that JSON does not escape and that terminals interpret or people cannot see. */
const UNSAFE =
  /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\udb40-\udb43][\udc00-\udfff]/g;

/** A value as one line of JSON, with invisible and control characters escaped. */
export function jsonLine(value: unknown): string {
  return `${JSON.stringify(value).replace(UNSAFE, toCodes)}\n`;
}

function toCodes(characters: string): string {
  return characters.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
