import { type AppError, invalidRequest } from '../errors.ts';
import { isInvisible } from './clean-text.ts';

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
