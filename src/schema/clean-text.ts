const PLAIN = /^[\n\t\u0020-\u007e]*$/;

/** Terminal sequences: OSC, DCS, SOS, PM and APC with their payload, CSI, then the short ones. */
const ESCAPES = new RegExp(
  [
    '(?:\\u001b[\\]PX^_]|[\\u0090\\u0098\\u009d-\\u009f])[^\\u0007\\u001b\\u009c\\n]*(?:\\u0007|\\u001b\\\\|\\u009c)?',
    '(?:\\u001b\\[|\\u009b)[0-?]*[ -/]*[@-~]?',
    '\\u001b[ -/]*[0-~]',
  ].join('|'),
  'g',
);
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** Embeddings, overrides and isolates can display text in another order. Plain marks (LRM, RLM, ALM) cannot. */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/g;
/**
 * Invisible characters could hide text. Joiners (for Persian and emoji) and direction marks (for names) are allowed.
 */
const UNSEEN = /(?![\u200c-\u200f])[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/** Characters without ink: spaces, formats, fillers, and two blanks that Unicode lists as symbols. */
const INKLESS = /^[\p{White_Space}\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]*$/u;

/** Removes terminal sequences, control characters and reordering. Newline and tab stay. */
export function cleanText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .toWellFormed()
    .replace(ESCAPES, '')
    .replace(/\r\n?|\u0085/g, '\n')
    .replace(CONTROLS, '')
    .replace(REORDERING, '');
}

/** Returns a clean line of at most `maxChars` characters, such as a person's name. Joiners and direction marks stay. */
export function cleanLine(text: string, maxChars: number): string {
  const line = cleanText(text).replace(UNSEEN, '').replace(/\s+/g, ' ').trim();
  return [...line].slice(0, maxChars).join('').trim();
}

/** True if no character of the text is visible. */
export function isInvisible(text: string): boolean {
  return INKLESS.test(text);
}
