/** Longer sequences are not waited for: what has come of them is cleaned away, and the rest is text. */
const SEQUENCE_CHARS = 256;
const PAYLOAD = `[^\\u0007\\u001b\\u009c\\n]{0,${SEQUENCE_CHARS}}`;
const PARAMETERS = `[0-?]{0,${SEQUENCE_CHARS}}[ -/]{0,${SEQUENCE_CHARS}}`;

/** At the end of a piece: a terminal sequence or a character that the next piece may complete. */
const UNFINISHED = new RegExp(
  `(?:${[
    `\\u001b(?:[\\]PX^_]${PAYLOAD}\\u001b?|\\[${PARAMETERS}|[ -/]{0,${SEQUENCE_CHARS}})`,
    `[\\u0090\\u0098\\u009d-\\u009f]${PAYLOAD}`,
    `\\u009b${PARAMETERS}`,
    '\\r|.?\\u200d|[\\ud800-\\udbff]',
  ].join('|')})$`,
  'u',
);
const PLAIN = /^[\n\t\u0020-\u007e]*$/;

/** Makes text that arrives in pieces safe to show: nothing slips through by being cut in two. */
export interface TextGate {
  push(text: string): string;
  /** What was held back. */
  end(): string;
}

export function createTextGate(clean: (text: string) => string): TextGate {
  let held = '';
  return {
    push(text) {
      if (held === '' && PLAIN.test(text)) return text;
      const all = held + text;
      held = UNFINISHED.exec(all)?.[0] ?? '';
      return clean(all.slice(0, all.length - held.length));
    },
    end() {
      const rest = clean(held);
      held = '';
      return rest;
    },
  };
}
