const PLAIN = /^[\n\t\u0020-\u007e]*$/;

/** Terminal sequences: strings to the terminal (OSC, DCS, SOS, PM, APC) with their payload, CSI, then the short ones. */
const ESCAPES = new RegExp(
  [
    '(?:\\u001b[\\]PX^_]|[\\u0090\\u0098\\u009d-\\u009f])[^\\u0007\\u001b\\u009c\\n]*(?:\\u0007|\\u001b\\\\|\\u009c)?',
    '(?:\\u001b\\[|\\u009b)[0-?]*[ -/]*[@-~]?',
    '\\u001b[ -/]*[0-~]',
  ].join('|'),
  'g',
);
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** Embeddings, overrides and isolates can show a text in another order than it has. Plain marks (LRM, RLM, ALM) cannot. */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/g;
/** Hidden text could be written with them; Persian and emoji need the joiners, right-to-left names the marks. */
const UNSEEN = /(?![\u200c-\u200f])[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/** Characters without ink: spaces, formats, fillers, and two blanks that Unicode counts as symbols. */
const INKLESS = /^[\p{White_Space}\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]*$/u;

/** Text without terminal sequences, control characters and reordering; newline and tab stay. */
export function cleanText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .toWellFormed()
    .replace(ESCAPES, '')
    .replace(/\r\n?|\u0085/g, '\n')
    .replace(CONTROLS, '')
    .replace(REORDERING, '');
}

/** One clean line of at most `maxChars` characters, such as a person's name. Joiners and direction marks stay. */
export function cleanLine(text: string, maxChars: number): string {
  const line = cleanText(text).replace(UNSEEN, '').replace(/\s+/g, ' ').trim();
  return [...line].slice(0, maxChars).join('').trim();
}

/** Nothing of the text can be seen. */
export function isInvisible(text: string): boolean {
  return INKLESS.test(text);
}
