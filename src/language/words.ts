import { STOP_WORDS } from './filler-words.ts';
import irregular from './tables/irregular-words.json' with { type: 'json' };

/** Compares English words: stems, typos, positions. Pure functions. */

/** Base forms of words whose endings do not show them. */
const IRREGULAR: Readonly<Record<string, string>> = irregular;

function toWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’][\p{L}]+)?/gu) ?? [];
}

/** Unrelated words often share shorter beginnings. */
const LEAST_BEGINNING = 5;

/** True if a word begins with the other: "abandon" and "abandonment". */
export function isSameBeginning(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length >= LEAST_BEGINNING && long.startsWith(short);
}

/** Removes endings until none is left: "ratings", "rating" and "rated" have the same root. */
export function rootOf(word: string): string {
  const once = stem(word);
  const twice = stem(once);
  return twice.length >= 3 ? twice : once;
}

/** Removes the ending, so that "buying", "buys" and "bought" match "buy". */
export function stem(word: string): string {
  const base = word.replace(/['’]s?$/, '');
  const irregular = Object.hasOwn(IRREGULAR, base) ? IRREGULAR[base] : undefined;
  if (irregular) return dropFinalE(irregular);
  if (base.length > 5 && base.endsWith('ies')) return `${base.slice(0, -3)}y`;
  if (base.length > 4 && base.endsWith('ied')) return `${base.slice(0, -3)}y`;
  if (base.length > 5 && base.endsWith('ing')) return trimStem(base.slice(0, -3));
  if (base.length > 4 && base.endsWith('ed')) return trimStem(base.slice(0, -2));
  if (base.length > 4 && /(?:ss|sh|ch|x|z)es$/.test(base)) return base.slice(0, -2);
  if (base.length > 3 && base.endsWith('s') && !/(?:ss|us|is)$/.test(base)) return dropFinalE(base.slice(0, -1));
  return dropFinalE(base);
}

function trimStem(text: string): string {
  const single = /([bdgklmnprt])\1$/.test(text) && !/(?:ll|ss)$/.test(text) ? text.slice(0, -1) : text;
  return dropFinalE(single);
}

function dropFinalE(text: string): string {
  return text.length > 3 && text.endsWith('e') ? text.slice(0, -1) : text;
}

export function toStems(text: string): string[] {
  return toWords(text).map(stem);
}

/** The stems that carry meaning, or all stems if none does. */
export function contentStems(text: string): string[] {
  const words = toWords(text);
  const content = words.filter((word) => !STOP_WORDS.has(word));
  return (content.length > 0 ? content : words).map(stem);
}

/** True if a letter was added, dropped or changed, or two neighbours were swapped. */
export function isOneTypoAway(a: string, b: string): boolean {
  if (a === b) return true;
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  const restA = a.slice(start);
  const restB = b.slice(start);
  if (restA.slice(1) === restB || restA === restB.slice(1) || restA.slice(1) === restB.slice(1)) return true;
  return restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2);
}

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];
const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** "second", "2nd", "#2", "number two", "2" → 2; "last" → -1. */
export function readPosition(text: string): number | undefined {
  const word = text
    .toLowerCase()
    .replace(/^(?:the|my|that|tasks?|items?|todos?|numbers?|no\.?|nr\.?|num|option|#|\s)+/g, '')
    .replace(/\s*(?:one|task|item|todo|option|reminder|entry|on (?:the|my) list|in (?:the|my) list|\.)*$/g, '')
    .trim();
  if (word === 'last' || word === 'latter' || word === 'bottom') return -1;
  if (word === 'former' || word === 'top') return 1;
  const digits = /^#?(\d{1,4})(?:st|nd|rd|th)?$/.exec(word);
  if (digits) return Number(digits[1]) || undefined;
  const ordinal = ORDINALS.indexOf(word);
  if (ordinal >= 0) return ordinal + 1;
  const number = NUMBERS.indexOf(word === '' && /\bone\b/i.test(text) ? '' : word);
  return number > 0 ? number : undefined;
}

const COUNT = String.raw`(\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|couple|pair|few)`;
const ENDS = new RegExp(
  String.raw`^(?:the |my |those |these )*(?:(first|top|next)|(last|bottom|latest|final)) (?:of )?(?:a )?${COUNT}(?: of)?(?: (?:ones?|tasks?|items?|todos?|things?|of (?:them|these|those)))*$`,
  'i',
);
const RANGE =
  /^(?:the |tasks? |items? |numbers? |#|from )*(\S+?)\s*(?:-|–|to|through|until|till)\s*#?(?:number )?(\S+?)(?: (?:ones?|tasks?|items?))?$/i;

/** "the first three", "the last two", "2 to 4", as places counted from 1; undefined if they are not all on a list. */
export function readPositions(text: string, length: number): number[] | undefined {
  const clean = text.trim().toLowerCase();
  const between = (from: number, to: number) =>
    from < 1 || to > length || from >= to ? undefined : Array.from({ length: to - from + 1 }, (_, i) => from + i);
  const ends = ENDS.exec(clean);
  if (ends) {
    const count = countOf(ends[3] ?? '');
    if (count === 1) return length > 0 ? [ends[1] === undefined ? length : 1] : undefined;
    return ends[1] === undefined ? between(length - count + 1, length) : between(1, count);
  }
  const range = RANGE.exec(clean);
  const placeOf = (word = '') => (word === 'one' ? 1 : readPosition(word));
  const [from, to] = [placeOf(range?.[1]), placeOf(range?.[2])];
  return from === undefined || to === undefined ? undefined : between(from, to === -1 ? length : to);
}

function countOf(word: string): number {
  if (/^\d/.test(word)) return Number(word);
  if (word === 'couple' || word === 'pair') return 2;
  return word === 'few' ? 3 : NUMBERS.indexOf(word);
}
