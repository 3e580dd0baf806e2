import { sanitizeText } from '../../tools/sanitize.ts';

/** At the end of a piece: a terminal sequence or a character that the next piece may complete. */
const UNFINISHED =
  /(?:\u001b(?:[\]PX^_][^\u0007\u001b\u009c\n]{0,256}\u001b?|\[[0-?]*[ -/]*|[ -/]*)|[\u0090\u0098\u009d-\u009f][^\u0007\u001b\u009c\n]{0,256}|\u009b[0-?]*[ -/]*|\r|.?\u200d|[\ud800-\udbff])$/u;

/** Makes text that arrives in pieces safe to show: nothing slips through by being cut in two. */
export interface TextGate {
  push(text: string): string;
  /** What was held back. */
  end(): string;
}

export function createTextGate(): TextGate {
  let held = '';
  return {
    push(text) {
      const all = held + text;
      held = UNFINISHED.exec(all)?.[0] ?? '';
      return sanitizeText(all.slice(0, all.length - held.length));
    },
    end() {
      const rest = sanitizeText(held);
      held = '';
      return rest;
    },
  };
}
