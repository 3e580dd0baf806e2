import type { Json } from '../schema/json.ts';
import { cleanText } from '../schema/user-text.ts';

const MAX_DEPTH = 64;
const PLAIN = /^[\n\t\u0020-\u007e]*$/;

/** Direction controls, zero-width characters, fillers, tags and other invisible characters. */
const INVISIBLE =
  /\u034f|[\u00ad\u061c\u115f\u1160\u17b4\u17b5]|[\u180b-\u180f]|[\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f]|[\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]/gu;
const REPEATED_SELECTORS = /(?<=[\ufe00-\ufe0f])[\ufe00-\ufe0f]+/g;
/** Joiners stay where writing needs them: inside an emoji, and between letters of scripts that join. */
const EMOJI_BEFORE = '(?<=\\p{Extended_Pictographic}|\\p{Emoji_Modifier}|[\\ufe00-\\ufe0f])';
const LETTER_BEFORE = '(?<=\\p{L}|\\p{M})(?<!\\p{Script=Latin}|\\p{Script=Greek}|\\p{Script=Cyrillic})';
const JOINERS = new RegExp(
  `(${EMOJI_BEFORE}\\u200d(?=\\p{Extended_Pictographic})|${LETTER_BEFORE}[\\u200c\\u200d](?=\\p{L}|\\p{M}))|[\\u200c\\u200d]`,
  'gu',
);

/** Makes text safe to show in a terminal or a page; nothing in it stays hidden from the reader. */
export function sanitizeText(text: string): string {
  if (PLAIN.test(text)) return text;
  return cleanText(text)
    .replace(/[\u2028\u2029]/g, '\n')
    .replace(INVISIBLE, '')
    .replace(JOINERS, '$1')
    .replace(REPEATED_SELECTORS, '');
}

/** Copies a value as plain JSON with every text and key sanitized. Never throws: other values become null or a note. */
export function sanitizeJson(value: unknown): Json {
  return clean(value, sanitizeText);
}

/** Like `sanitizeJson`, for data that a program reads: removes only the characters that `cleanText` removes. */
export function cleanJson(value: unknown): Json {
  return clean(value, cleanText);
}

function clean(value: unknown, cleanString: (text: string) => string, above: readonly object[] = []): Json {
  if (typeof value === 'string') return cleanString(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return null;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (above.includes(value)) return '[refers to itself]';
  if (above.length >= MAX_DEPTH) return '[nested too deeply]';
  const within = [...above, value];
  if (Array.isArray(value)) return value.map((item) => clean(item, cleanString, within));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, item]) => key !== '__proto__' && item !== undefined)
      .map(([key, item]) => [cleanString(key), clean(item, cleanString, within)]),
  );
}

/** Returns the note about a cut, given the kept and total number of characters. */
export type CutNote = (kept: number, total: number) => string;

/** Cuts text to `maxChars`, with a note about the cut. Never splits a character. */
export function cutText(text: string, maxChars: number, note: CutNote = leftOut): string {
  if (text.length <= maxChars) return text;
  const room = Math.max(0, maxChars - note(0, text.length).length);
  const kept = text.slice(0, endOfCharacter(text, room));
  return kept + note(kept.length, text.length);
}

const leftOut: CutNote = (kept, total) => `\n[${total - kept} of ${total} characters left out]`;

function endOfCharacter(text: string, end: number): number {
  const last = text.charCodeAt(end - 1);
  const isCutInside = last >= 0xd800 && last <= 0xdbff;
  return isCutInside ? end - 1 : end;
}

/** Formats a value for people: text as it is, other values as indented JSON, sanitized and cut. */
export function displayJson(value: unknown, maxChars = 5000): string {
  const safe = sanitizeJson(value);
  return cutText(typeof safe === 'string' ? safe : JSON.stringify(safe, null, 2), maxChars);
}
