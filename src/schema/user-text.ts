import { type AppError, invalidRequest } from '../errors.ts';

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

export const DEFAULT_MESSAGE_CHARS = 10_000;

/** Returns the problem of a text, or undefined. */
export type TextCheck = (text: string, limits: { maxChars: number }) => string | undefined;

/** The checks of every user text, in this order. A program's own checks follow. */
const TEXT_CHECKS: readonly TextCheck[] = [hasWholeCharacters, isNotEmpty, isWithinLimit];

/**
 * Prepares a user's text for storage: removes control characters (newline and tab stay), trims, then applies all
 * checks, including those that a program adds. Throws `invalid_request` for the first check that fails.
 */
export function cleanUserText(
  text: string,
  maxChars: number = DEFAULT_MESSAGE_CHARS,
  more: readonly TextCheck[] = [],
): string {
  if (typeof text !== 'string') throw refuse('must be a string');
  const clean = text
    .replaceAll('\r\n', '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
    .trim();
  for (const check of [...TEXT_CHECKS, ...more]) {
    const problem = check(clean, { maxChars });
    if (problem) throw refuse(problem);
  }
  return clean;
}

function refuse(message: string): AppError {
  return invalidRequest([{ path: 'message', message }]);
}

export function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function hasWholeCharacters(text: string): string | undefined {
  return text.isWellFormed() ? undefined : 'contains half of a character (a lone surrogate); send valid UTF-8';
}

function isNotEmpty(text: string): string | undefined {
  return isInvisible(text) ? 'must not be empty' : undefined;
}

function isWithinLimit(text: string, { maxChars }: { maxChars: number }): string | undefined {
  if (text.length <= maxChars) return undefined;
  const count = countCodePoints(text);
  return count > maxChars ? `has ${count} characters; at most ${maxChars} are allowed` : undefined;
}
