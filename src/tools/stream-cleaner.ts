/** Longer sequences are not awaited: their beginning is removed, and the rest counts as text. */
const SEQUENCE_CHARS = 256;
const PAYLOAD = `[^\\u0007\\u001b\\u009c\\n]{0,${SEQUENCE_CHARS}}`;
const PARAMETERS = `[0-?]{0,${SEQUENCE_CHARS}}[ -/]{0,${SEQUENCE_CHARS}}`;

/** Matches a terminal sequence or a character at the end of a chunk that the next chunk may complete. */
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

/** Cleans text that arrives in chunks. A sequence that is cut in two is removed as well. */
export interface StreamCleaner {
  push(text: string): string;
  /** Returns the text that was held back. */
  end(): string;
}

export function createStreamCleaner(clean: (text: string) => string): StreamCleaner {
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
