import { isDeepStrictEqual } from 'node:util';
import { runInThisContext } from 'node:vm';
import { isObject, type Json } from '../../schema/json.ts';
import type { Matcher, Phrase } from '../../schema/tests/test-case.ts';

/** Most expressions take microseconds. One that backtracks without end would stop the whole run. */
const LIMIT_MS = 1_000;

/** Tests a text with an expression of a case file. Throws if the expression takes too long. */
export function testPattern(pattern: string, flags: string, text: string): boolean {
  // Only the run of a script has a time limit. JSON texts are JavaScript literals.
  const [source, given, subject] = [pattern, flags, text].map((value) => JSON.stringify(value));
  try {
    return runInThisContext(`new RegExp(${source}, ${given}).test(${subject})`, { timeout: LIMIT_MS }) === true;
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')) throw cause;
    const advice = 'write it without a repetition inside a repetition';
    throw new Error(`/${pattern}/ took longer than ${LIMIT_MS} ms; ${advice}.`, { cause });
  }
}

/** True if a value is the literal, resembles the fuzzy text, or matches the expression as a whole. */
export function matchesValue(matcher: Matcher, value: Json | undefined): boolean {
  if (value === undefined) return false;
  if (isFuzzy(matcher)) return isAlike(matcher.fuzzy, plainText(value));
  if (isRegex(matcher)) return testPattern(`^(?:${matcher.regex})$`, 'u', plainText(value));
  return isDeepStrictEqual(matcher, value);
}

/** True if a text contains the phrase in any case, or the expression matches some part of it. */
export function containsPhrase(phrase: Phrase, text: string): boolean {
  if (typeof phrase === 'string') return spaced(text).includes(spaced(phrase));
  return testPattern(phrase.regex, 'iu', text);
}

export function describeMatcher(matcher: Matcher | Phrase): string {
  if (isFuzzy(matcher)) return `≈ "${matcher.fuzzy}"`;
  if (isRegex(matcher)) return `/${matcher.regex}/`;
  return JSON.stringify(matcher);
}

function isFuzzy(matcher: Matcher | Phrase): matcher is { fuzzy: string } {
  return isObject(matcher) && 'fuzzy' in matcher && typeof matcher.fuzzy === 'string';
}

function isRegex(matcher: Matcher | Phrase): matcher is { regex: string } {
  return isObject(matcher) && 'regex' in matcher && typeof matcher.regex === 'string';
}

function plainText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function spaced(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').replaceAll('’', "'").trim();
}

/** Case, blanks, separators and the format of numbers do not count. */
function isAlike(wanted: string, actual: string): boolean {
  const [a, b] = [readNumber(wanted), readNumber(actual)];
  if (a !== undefined && b !== undefined) return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a));
  return bare(wanted) === bare(actual);
}

function bare(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

function readNumber(text: string): number | undefined {
  const plain = text.trim().replace(/(?<=\d)[,_\u00a0\u202f](?=\d{3}(\D|$))/g, '');
  const percent = plain.endsWith('%');
  const digits = plain.replace(/^[$€£]\s*|\s*%$/g, '');
  if (!/^[-+]?\d+(\.\d+)?$/.test(digits)) return undefined;
  return Number(digits) / (percent ? 100 : 1);
}
